/**
 * The records of decisions and calls, and how the deciding code adds them. An entry has names and sizes: never a value
 * of an input, a result or an answer, nor the text of an error.
 */
import { onUnexpectedError } from '../../base/event.ts';
import { isCancelled, isMcpError, isRpcError } from '../../mcp/errors.ts';
import type { ServerConfig } from '../config/serverConfig.ts';

type AuditOutcome =
  /** A question was answered with yes, or was not necessary. */
  | 'allowed'
  | 'denied'
  /** A form or a link: the user said no, or closed it. */
  | 'declined'
  | 'dismissed'
  /** Nobody was asked: over a limit, or an impossible question. */
  | 'refused'
  /** A call returned a result; `toolError` when the result says that the tool failed. */
  | 'done'
  | 'toolError'
  | 'failed'
  | 'cancelled';

export interface AuditEntry {
  readonly event:
    | 'start'
    | 'approval'
    /** An approval for longer than one call. */
    | 'remembered'
    | 'revoked'
    | 'toolCall'
    | 'skillLoad'
    /** What an app asked of the user: see `method`. */
    | 'appRequest'
    /** Both only for extensions: what the user reads or uses is not recorded. */
    | 'resourceRead'
    | 'promptUse'
    | 'sampling'
    | 'elicitation';
  /** Its name in the settings. */
  readonly server: string;
  /** The scope of its entry, if known. */
  readonly scope?: ServerConfig['scope']['kind'];
  /** Who made the request; absent for a start, which has many reasons. */
  readonly caller?: 'user' | 'model' | 'server' | 'extension' | 'app';
  /** The id that an extension claims. */
  readonly extension?: string;
  readonly tool?: string;
  readonly prompt?: string;
  /** Its URI. */
  readonly skill?: string;
  /** The URI of an app. */
  readonly app?: string;
  /** That of an app's request. */
  readonly method?: string;
  /** The id of the language model. */
  readonly model?: string;
  readonly mode?: 'form' | 'url';
  /** The host of a link. */
  readonly host?: string;
  readonly outcome: AuditOutcome;
  readonly by?: 'hand' | 'rule';
  /** The rule that decided, or how long the answer counts. */
  readonly because?: string;
  /** The code of an error. */
  readonly code?: string | number;
  /** Includes the wait for the user. */
  readonly durationMs: number;
  readonly inputNames?: readonly string[];
  /** In characters of JSON. */
  readonly inputSize?: number;
  readonly resultSize?: number;
}

export interface Audit {
  /** Returns at once and never throws. */
  record(entry: AuditEntry): void;
}

export const noAudit: Audit = { record: () => undefined };

/** What is known before the outcome. */
type AuditSubject = Omit<AuditEntry, 'server' | 'scope' | 'outcome' | 'durationMs'>;
type Note = Partial<Omit<AuditEntry, 'event' | 'durationMs'>>;

/**
 * Records how `run` ends. Its result or error stays unchanged.
 * @param run `note` adds facts to the entry; the default outcome is `done`, or that of the error
 */
export async function audited<T>(
  audit: Audit,
  { name, scope }: Pick<ServerConfig, 'name' | 'scope'>,
  subject: AuditSubject,
  run: (note: (more: Note) => void) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  let noted: Note = {};
  const end = (ending: Note): void => {
    try {
      const durationMs = Date.now() - startedAt;
      const known = { ...subject, server: name, scope: scope.kind };
      audit.record({ outcome: 'done', ...known, ...noted, ...ending, durationMs });
    } catch (error) {
      onUnexpectedError(error);
    }
  };
  try {
    const value = await run((more) => {
      noted = { ...noted, ...more };
    });
    end({});
    return value;
  } catch (error) {
    end(endingOf(error, subject, noted));
    throw error;
  }
}

/** The error code in the specification's example for a user's no. */
const userRejected = -1;

function endingOf(error: unknown, { event }: AuditSubject, { by }: Note): Note {
  if (isCancelled(error)) {
    return { outcome: 'cancelled' };
  }
  const code = codeOf(error);
  const isQuestion = event === 'sampling' || event === 'elicitation';
  if (isQuestion && code === userRejected) {
    return { outcome: 'denied', by: 'hand' };
  }
  if (code === 'denied') {
    return { outcome: 'denied', by: by ?? 'hand' };
  }
  const isRefused = isQuestion && by === undefined;
  return {
    ...(isRefused ? { outcome: 'refused', by: 'rule' } : { outcome: 'failed' }),
    ...(code === undefined ? {} : { code }),
  };
}

function codeOf(error: unknown): string | number | undefined {
  if (isRpcError(error)) {
    return error.rpcCode;
  }
  return isMcpError(error) ? error.code : undefined;
}

const maxNames = 50;

/** In characters of JSON. */
export function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** The facts about an input: the names of its members and its size, no value. */
export function inputFacts(input: Readonly<Record<string, unknown>> = {}): {
  readonly inputNames: readonly string[];
  readonly inputSize: number;
} {
  return { inputNames: Object.keys(input).slice(0, maxNames), inputSize: sizeOf(input) };
}
