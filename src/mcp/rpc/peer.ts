/**
 * What callers give to a JSON-RPC peer, and what it shows them: options of requests, handlers, notifications, and views
 * of requests that run.
 */
import type { Disposable } from '../../base/disposable.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { McpError } from '../errors.ts';
import type { SendOptions } from '../transport/transport.ts';
import type { Params, RequestId } from '../types/message.ts';

export interface RequestOptions extends SendOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds without a sign of life; `Infinity` for no limit. */
  readonly idleMs: number;
  /** Milliseconds from start to end; `Infinity` for no limit (`subscriptions/listen`). */
  readonly totalMs: number;
  /** Part of the error message when the limit of that name is over: how to change it ("which … can raise"). */
  readonly idleHint?: string;
  readonly totalHint?: string;
  readonly onProgress?: (progress: Progress) => void;
  /**
   * For progress that goes on after the reply (see `Peer.followProgress`). Before the reply it is a
   * sign of life.
   */
  readonly progressToken?: string;
  /** False for `initialize`, which must not be cancelled by notification (CANC-02). */
  readonly isCancellable?: boolean;
  /** A first request that the server may not know: see `Peer.request`. */
  readonly isProbe?: boolean;
  /** Gets the id before the request is sent, so that notifications can be matched to it (see {@link Notification}). */
  readonly onId?: (id: RequestId) => void;
  /** Who made the request, in the caller's own terms. `Peer.inFlight` hands it back; nothing here reads it. */
  readonly origin?: unknown;
}

export interface RequestContext {
  /** Aborts when the server cancels its request, or the connection ends. No reply is sent then. */
  readonly signal: AbortSignal;
}
/** A thrown RpcError is sent as it is; any other error as -32603 without its text. */
export type RequestHandler = (params: Params, context: RequestContext) => Promise<unknown>;

export interface Notification {
  readonly method: string;
  readonly params: Params;
  /** The request whose reply stream carried the notification; absent if all messages share one channel. */
  readonly during?: RequestId;
}

/** The specification's own names in `_meta`. They tie a notification to a task or a stream of this one connection. */
const ownNames = 'io.modelcontextprotocol/';

export interface WithMeta {
  readonly _meta?: JsonObject;
}

/**
 * The `_meta` that a server adds to its notifications; an empty object when nothing is left.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/index#_meta
 */
export function metaOf({ _meta }: Params): WithMeta {
  const added = isObject(_meta)
    ? Object.entries(_meta).filter(([name]) => !name.startsWith(ownNames))
    : [];
  return added.length === 0 ? {} : { _meta: Object.fromEntries(added) };
}

/** Limit in milliseconds from the start of a request, beyond which nobody can prolong it (TIME-03, CAN-09). */
export const longestRunMs = 24 * 3_600_000;

/** `notifications/progress` without its token. */
export interface Progress extends WithMeta {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * A view of a pending request, with actions on it, for a list of running requests. It reads what the peer keeps anyway,
 * so visible requests are no slower.
 */
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
