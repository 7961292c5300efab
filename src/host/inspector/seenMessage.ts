/** What the inspector stores of a server's messages, its limits, and which requests may be sent again. */
import { isString, type JsonObject } from '../../base/json.ts';
import type { Method } from '../../mcp/types/methods.ts';

export const inspectorLimits = {
  /** Entries of one server; the oldest are dropped first. */
  entries: 5_000,
  /** Characters of one message; the rest is left out. */
  messageChars: 256 * 1024,
  /** Characters of a method, an id, an error. */
  factChars: 1_000,
  /** Characters of one text inside of a message. */
  textChars: 64 * 1024,
  /** Headers of one HTTP request or response, and characters of each. */
  headers: 100,
  headerChars: 2_000,
  /** HTTP requests stored for one message; the oldest are dropped first. */
  exchanges: 10,
} as const;

/** To and from the server; from and to a view of its MCP apps. */
export type Direction = 'sent' | 'received' | 'fromApp' | 'toApp';

/** By name, without secrets. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** One HTTP request and its response. */
export interface SeenExchange {
  readonly method: string;
  readonly url: string;
  readonly sent: Headers;
  status?: number;
  received?: Headers;
  error?: string;
}

/**
 * For a request: `pending` until its response; `cancelled` when it was cancelled; `unanswered` when the connection
 * ended. For a response, its own outcome. A notification has none.
 */
export type Outcome = 'pending' | 'done' | 'error' | 'cancelled' | 'unanswered';

/** One entry. */
export interface Seen {
  /**
   * A message; or a `stream`, an HTTP request that carries none: an event stream, the end of a session, a WebSocket; or
   * an `event` of the server.
   */
  readonly kind: 'request' | 'response' | 'notification' | 'stream' | 'event';
  /** The number of the entry, per server, from 1. */
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Undefined for an event. */
  readonly direction: Direction | undefined;
  /** The view of an app that the message comes from or goes to. */
  readonly view: string | undefined;
  /** For a response, the method of its request; empty if that was not recorded. For an event, its text. */
  readonly method: string;
  /** The tool or prompt that the request names; for a response, that of its request. Empty for others. */
  readonly subject: string;
  readonly id: string | number | undefined;
  /** Size of the message as JSON, in UTF-8. */
  readonly bytes: number;
  /** As JSON without secrets; no longer valid JSON when it {@link isCut}. Empty for an entry that is no message. */
  readonly text: string;
  readonly isCut: boolean;
  /** The protocol revision, if known. */
  revision: string | undefined;
  /** The number of the response to a request, or of the request to a response. */
  partner?: number;
  outcome?: Outcome;
  /** From request to response, set in both. */
  durationMs?: number;
  /** As a text without secrets. */
  problem?: string | undefined;
  /** The number of the entry that was sent again with this one. */
  replayOf?: number;
  /** The HTTP requests that carried it, oldest first: more than one after a sign-in or a redirect. */
  exchanges: readonly SeenExchange[];
  /** The parameters of our own request as sent: to send it again, not for display. */
  readonly params?: JsonObject | undefined;
}

/** `app`: from and to apps. */
export const wantedDirections = ['any', 'sent', 'received', 'app'] as const;
export type WantedDirection = (typeof wantedDirections)[number];

/** Which entries are shown. */
export interface MessageFilter {
  /** Anywhere in the message, its method, its id, or its HTTP requests; case does not matter. */
  readonly text: string;
  /** Empty: any. */
  readonly method: string;
  readonly direction: WantedDirection;
  readonly errorsOnly: boolean;
}

export function isMessage({ kind }: Seen): boolean {
  return kind !== 'stream' && kind !== 'event';
}

export function isWrong({ kind, outcome, exchanges }: Seen): boolean {
  return (
    outcome === 'error' ||
    outcome === 'unanswered' ||
    (kind === 'stream' &&
      exchanges.some(({ error, status = 0 }) => error !== undefined || status >= 400))
  );
}

/** In local time, with milliseconds to distinguish messages of the same second: `2026-01-31 23:59:59.999`. */
export function dayAndTime(at: number): string {
  const local = at - new Date(at).getTimezoneOffset() * 60_000;
  return new Date(local).toISOString().slice(0, -1).replace('T', ' ');
}

/** {@link dayAndTime} without the date. */
export function timeOfDay(at: number): string {
  return dayAndTime(at).slice(-12);
}

/** Methods that a session allows. The others open or control a session: a repetition would break it. */
const methods: Readonly<Record<Method, true>> = {
  ping: true,
  'tools/list': true,
  'tools/call': true,
  'prompts/list': true,
  'prompts/get': true,
  'resources/list': true,
  'resources/templates/list': true,
  'resources/read': true,
  'resources/directory/read': true,
  'skills/list': true,
  'skills/get': true,
  'completion/complete': true,
};

/** Members that sessions add to a request: they belong to one session, one round or one task. */
const added: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState', 'task']);

export interface Replayable {
  readonly method: Method;
  readonly params: JsonObject;
}

/** Undefined for an entry that cannot be sent again. */
export function replayable(seen: Seen | undefined): Replayable | undefined {
  return seen?.params !== undefined && isMethod(seen.method)
    ? { method: seen.method, params: ownParams(seen.params) }
    : undefined;
}

/** The parameters of a request without the added members. */
export function ownParams(params: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !added.has(name)));
}

function isMethod(method: string): method is Method {
  return Object.hasOwn(methods, method);
}

/** See {@link Seen.subject}. */
export function subjectOf(method: string, { name }: JsonObject): string {
  const isNamed = method === 'tools/call' || method === 'prompts/get';
  return isNamed && isString(name) ? name : '';
}

/** What an entry has before anything is known of it. */
export const blankEntry = {
  direction: undefined,
  view: undefined,
  method: '',
  subject: '',
  id: undefined,
  bytes: 0,
  text: '',
  isCut: false,
  revision: undefined,
  exchanges: [],
} as const;
