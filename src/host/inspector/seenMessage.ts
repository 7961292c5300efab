/** What the inspector keeps of the messages of a server, and how much of it at most. */
import type { JsonObject } from '../../base/json.ts';

export const inspectorLimits = {
  /** Entries of one server; the oldest go first. */
  entries: 5_000,
  /** Characters of all of them together. */
  totalChars: 32 * 1024 * 1024,
  /** Characters of one message; the rest is left out. */
  messageChars: 256 * 1024,
  /** Characters of a method, an id, an error. */
  factChars: 1_000,
  /** Characters of one text inside of a message. */
  textChars: 64 * 1024,
  /** Headers of one HTTP request or response, and characters of each. */
  headers: 100,
  headerChars: 2_000,
  /** HTTP requests that are kept of one message; the oldest go first. */
  exchanges: 10,
} as const;

export type Direction = 'sent' | 'received';

/** By name; nothing secret is in it. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** One HTTP request and what it was answered. */
export interface SeenExchange {
  readonly method: string;
  readonly url: string;
  readonly sent: Headers;
  status?: number;
  received?: Headers;
  error?: string;
}

/**
 * Of a request: `pending` until its response; `cancelled` when it was withdrawn; `unanswered` when the
 * connection ended. Of a response what it says. A notification has none.
 */
export type Outcome = 'pending' | 'done' | 'error' | 'cancelled' | 'unanswered';

export interface SeenMessage {
  readonly kind: 'message';
  /** Counts the entries of a server, from 1. */
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly direction: Direction;
  readonly type: 'request' | 'response' | 'notification';
  /** Of a response: that of its request; empty where that was not seen. */
  readonly method: string;
  readonly id: string | number | undefined;
  /** Of the message as JSON, in UTF-8. */
  readonly bytes: number;
  /** As JSON without secrets; no longer JSON when it {@link isCut}. */
  readonly text: string;
  readonly isCut: boolean;
  /** That is spoken, where known. */
  revision: string | undefined;
  /** The other half of request and response. */
  partner?: number;
  outcome?: Outcome;
  /** From request to response, in both. */
  durationMs?: number;
  /** In words, without secrets. */
  problem?: string | undefined;
  /** The entry that was sent again with this one. */
  replayOf?: number;
  /** That carried it, oldest first: more than one when it was signed in or redirected. */
  exchanges: readonly SeenExchange[];
  /** Of a request of ours, as they were sent: for sending it again, not for showing. */
  readonly params?: JsonObject | undefined;
}

/** An HTTP request that carries no message: an event stream, the end of a session, a WebSocket. */
export interface SeenStream {
  readonly kind: 'stream';
  readonly n: number;
  readonly at: number;
  readonly exchange: SeenExchange;
}

/** Something that happened to the server. */
export interface SeenEvent {
  readonly kind: 'event';
  readonly n: number;
  readonly at: number;
  readonly text: string;
}

export type Seen = SeenMessage | SeenStream | SeenEvent;

export function isWrong(seen: Seen): boolean {
  switch (seen.kind) {
    case 'message':
      return seen.outcome === 'error' || seen.outcome === 'unanswered';
    case 'stream':
      return seen.exchange.error !== undefined || (seen.exchange.status ?? 0) >= 400;
    case 'event':
      return false;
  }
}
