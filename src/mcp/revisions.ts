/** The revisions of the MCP specification that this client speaks, oldest first, and what each adds. */

/** `legacy`: a conversation begins with `initialize`. `modern`: each request is self-contained. */
export type Era = 'legacy' | 'modern';

export type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';

/** What may be spoken with a server: any revision, one era, or one revision. */
export type ProtocolChoice = 'auto' | Era | Revision;

export interface RevisionFeatures {
  readonly era: Era;
  /** `completions` is a declared server capability. Before that, `completion/complete` is tried and may be unknown. */
  readonly declaresCompletions: boolean;
  /** `completion/complete` takes `context.arguments`. */
  readonly completionContext: boolean;
  /** Streamable HTTP requests carry `MCP-Protocol-Version` after initialization. */
  readonly versionHeader: boolean;
  /** Tools may declare `outputSchema` and return `structuredContent`. */
  readonly structuredOutput: boolean;
  /** The elicitation modes that a server may use; empty: none (CAP-03). */
  readonly elicitationModes: readonly ('form' | 'url')[];
  /** A form may return lists of strings (ELIC-20). */
  readonly elicitsLists: boolean;
  /** Sampling messages may hold audio. */
  readonly samplesAudio: boolean;
  /** Sampling has tools: `tools`, `toolChoice`, tool blocks, and content that is a list (SAMP-12). */
  readonly samplesTools: boolean;
  /** An exchange may hold an array of messages (JSON-RPC batch). */
  readonly batches: boolean;
  /** The empty string is a valid cursor. In earlier revisions some servers send it for no cursor. */
  readonly emptyCursors: boolean;
  /** Requests may run as tasks, in both directions: `task` in their parameters. */
  readonly tasks: boolean;
}

const of2024November: RevisionFeatures = {
  era: 'legacy',
  declaresCompletions: false,
  completionContext: false,
  versionHeader: false,
  structuredOutput: false,
  elicitationModes: [],
  elicitsLists: false,
  samplesAudio: false,
  samplesTools: false,
  batches: false,
  emptyCursors: false,
  tasks: false,
};
const of2025March: RevisionFeatures = {
  ...of2024November,
  declaresCompletions: true,
  samplesAudio: true,
  batches: true,
};
const of2025June: RevisionFeatures = {
  ...of2025March,
  completionContext: true,
  versionHeader: true,
  structuredOutput: true,
  elicitationModes: ['form'],
  batches: false,
};
const of2025November: RevisionFeatures = {
  ...of2025June,
  elicitationModes: ['form', 'url'],
  elicitsLists: true,
  samplesTools: true,
  tasks: true,
};
const of2026July: RevisionFeatures = {
  ...of2025November,
  era: 'modern',
  emptyCursors: true,
  tasks: false,
};

export const revisions: Readonly<Record<Revision, RevisionFeatures>> = {
  '2024-11-05': of2024November,
  '2025-03-26': of2025March,
  '2025-06-18': of2025June,
  '2025-11-25': of2025November,
  '2026-07-28': of2026July,
};

/** All revisions, newest first: the order in which they are offered. */
export const revisionsNewestFirst: readonly Revision[] = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
];

/** Revision strings are compared exactly (LIFE-08). */
export function isRevision(value: unknown): value is Revision {
  return typeof value === 'string' && Object.hasOwn(revisions, value);
}
