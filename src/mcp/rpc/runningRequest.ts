/**
 * A view of a pending request, with actions on it, for a list of running requests. It reads what the peer
 * keeps anyway, so visible requests are no slower.
 */
import type { Disposable } from '../../base/disposable.ts';
import { McpError } from '../errors.ts';
import type { Params, RequestId } from '../types/message.ts';
import type { WithMeta } from './notificationMeta.ts';

/** Limit in milliseconds from the start of a request, beyond which nobody can prolong it (TIME-03, CAN-09). */
export const longestRunMs = 24 * 3_600_000;

/** `notifications/progress` without its token. */
export interface Progress extends WithMeta {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface RunningRequest {
  /** The same object as long as the request runs. */
  readonly key: object;
  readonly method: string;
  readonly params: Params | undefined;
  /** What its caller gave as `origin`. */
  readonly origin: unknown;
  /** It runs as a task on the server, whatever requests follow up on it. */
  readonly isTask: boolean;
  /** In the time of `performance.now()`. */
  readonly startedAt: number;
  /** The last progress, if the caller asked for progress. */
  readonly progress: Progress | undefined;
  /**
   * When the request times out unless it shows a sign of life, in the time of `performance.now()`;
   * `Infinity` for never.
   */
  readonly dueAt: number;
  /** Milliseconds from a restart of its limits: the idle limit, and the total limit. */
  readonly times: { readonly idleMs: number; readonly totalMs: number };
  /** Cancels in the way of the server's era; the caller gets `cancelled`. Does nothing when the request is over. */
  cancel(): void;
  /** Restarts its limits, within {@link longestRunMs} of its start. Does nothing when the request is over. */
  keepWaiting(): void;
}

/** The requests of one conversation that wait for their replies. */
export interface InFlight {
  /** In no particular order. Leaves out requests that are part of something else, such as polling a task. */
  running(): Iterable<RunningRequest>;
  /** Calls `listener` at the start of each request, until disposed. There is one listener at a time. */
  watch(listener: () => void): Disposable;
}

/** The requests as the peer knows them, by id. */
export interface RequestsInFlight extends InFlight {
  /** The request with this id, including those that {@link running} leaves out; undefined when it is over. */
  of(id: RequestId): RunningRequest | undefined;
}

/** The latest time limit of a request after somebody chose to wait longer. */
export function prolonged(expiresAt: number, startedAt: number, totalMs: number): number {
  const wanted = Math.min(performance.now() + totalMs, startedAt + longestRunMs);
  return Math.max(expiresAt, wanted);
}

/** The caller's error when somebody else cancelled its request. */
export function cancelledByUser(method: string): McpError {
  return new McpError('cancelled', `"${method}" was cancelled by the user`);
}
