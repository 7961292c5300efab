/**
 * What can be seen of a request that waits for its reply, and done about it: for whoever shows what runs.
 * It is read from what the peer keeps anyway; a request is not made slower by being visible.
 */
import type { Disposable } from '../../base/disposable.ts';
import { McpError } from '../errors.ts';
import type { Params, RequestId } from '../types/message.ts';
import type { WithMeta } from './notificationMeta.ts';

/** Milliseconds after its start beyond which nobody can keep waiting for a request (TIME-03, CAN-09). */
export const longestRunMs = 24 * 3_600_000;

/** `notifications/progress` without its token. */
export interface Progress extends WithMeta {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface RunningRequest {
  /** The same object for as long as it runs. */
  readonly key: object;
  readonly method: string;
  readonly params: Params | undefined;
  /** What its caller gave as `origin`. */
  readonly origin: unknown;
  /** It runs as a task of the server, whatever requests follow it. */
  readonly isTask: boolean;
  /** As `performance.now()` counts. */
  readonly startedAt: number;
  /** The last that was heard, where the caller asked for progress. */
  readonly progress: Progress | undefined;
  /** When it is given up unless something is heard of it, as `performance.now()` counts; `Infinity` for never. */
  readonly dueAt: number;
  /** Milliseconds that it has when its limits start afresh: the shorter one, and the one in all. */
  readonly times: { readonly idleMs: number; readonly totalMs: number };
  /** Tells the server in the way of its era; the caller gets `cancelled`. Nothing when it is over. */
  cancel(): void;
  /** Starts its limits afresh, within {@link longestRunMs} of its start. Nothing when it is over. */
  keepWaiting(): void;
}

/** The requests of one conversation that wait for their replies. */
export interface InFlight {
  /** In no order; without those that are no matter of their own, such as questions after a task. */
  running(): Iterable<RunningRequest>;
  /** Calls `listener` at the beginning of each request, until disposed. There is one listener at a time. */
  watch(listener: () => void): Disposable;
}

/** As the peer knows them, who gave them their ids. */
export interface RequestsInFlight extends InFlight {
  /** The request of this id, also one that {@link running} leaves out; undefined when it is over. */
  of(id: RequestId): RunningRequest | undefined;
}

/** When a request is given up at the latest, after somebody wished to wait longer. */
export function prolonged(expiresAt: number, startedAt: number, totalMs: number): number {
  const wanted = Math.min(performance.now() + totalMs, startedAt + longestRunMs);
  return Math.max(expiresAt, wanted);
}

/** What a caller gets whose request somebody else ended. */
export function cancelledByUser(method: string): McpError {
  return new McpError('cancelled', `"${method}" was cancelled by the user`);
}
