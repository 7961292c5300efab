/**
 * The contract of a JSON-RPC peer on one Transport: requests with their replies, deadlines, progress and
 * cancellation, in both directions. It knows the messages for these, and no MCP feature.
 */
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { CloseReason, Diagnostic, SendOptions } from '../transport/transport.ts';
import type { Params, RequestId } from '../types/message.ts';
import type { Progress, RequestsInFlight } from './runningRequest.ts';

export type { Progress };

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
   * For progress that goes on after the reply (see {@link Peer.followProgress}). Before the reply it is a
   * sign of life.
   */
  readonly progressToken?: string;
  /** False for `initialize`, which must not be cancelled by notification (CANC-02). */
  readonly isCancellable?: boolean;
  /** A first request that the server may not know: see {@link Peer.request}. */
  readonly isProbe?: boolean;
  /** Gets the id before the request is sent, so that notifications can be matched to it (see {@link Notification}). */
  readonly onId?: (id: RequestId) => void;
  /** Who made the request, in the caller's own terms. {@link Peer.inFlight} hands it back; nothing here reads it. */
  readonly origin?: unknown;
}

export interface RequestContext {
  /** Aborts when the server cancels its request, or the connection ends. No reply is sent then. */
  readonly signal: AbortSignal;
  readonly during?: RequestId;
}
/** A thrown RpcError is sent as it is; any other error as -32603 without its text. */
export type RequestHandler = (params: Params, context: RequestContext) => Promise<unknown>;

export interface Notification {
  readonly method: string;
  readonly params: Params;
  /** The request whose reply stream carried the notification; absent if all messages share one channel. */
  readonly during?: RequestId;
}

export interface Peer {
  /** All except `notifications/progress` and, unless requests are dropped, `notifications/cancelled`. */
  readonly onDidReceiveNotification: Event<Notification>;
  /** Fires exactly once. */
  readonly onDidClose: Event<CloseReason>;
  readonly onDidLoseSession: Event<void>;
  readonly onDidOpenPushStream: Event<void>;
  readonly onDidDiagnose: Event<Diagnostic>;
  readonly inFlight: RequestsInFlight;
  /**
   * Sends one request and waits for its reply. Sends nothing if the signal is aborted already. Delivers
   * progress that arrives before the reply first. While a probe is the only request that waits, an error
   * without one of our ids refuses the probe (ERA-03): servers that cannot read a request do not know its
   * id.
   * @throws RpcError for an error reply; McpError `timeout`, `cancelled`, `closed` (the outcome is
   *   unknown), or the error of the transport's `send`.
   */
  request(method: string, params: Params | undefined, options: RequestOptions): Promise<unknown>;
  /** @throws the error of the transport's `send`. */
  notify(method: string, params?: Params): Promise<void>;
  /**
   * Sets the handlers for the server's requests. Until then requests wait, except `ping`, which is always
   * answered. From then on a method without a handler gets -32601.
   */
  acceptRequests(handlers: ReadonlyMap<string, RequestHandler>): void;
  /**
   * Declares that the server may send no requests: they are reported and get no reply (BASE-04, BASE-05).
   * Then a `notifications/cancelled` is about a request of ours, and is handed on like any other
   * notification. Ends with {@link beginSession}.
   */
  dropRequests(): void;
  /** Forgets the conversation, for a new handshake. The server's requests end without a reply; new ones wait again. */
  beginSession(): void;
  sessionReady(agreed: {
    readonly revision: string;
    readonly sendsVersionHeader: boolean;
    /** Answers the requests of one received batch in one array (BASE-09), otherwise one by one. */
    readonly answersBatches?: boolean;
  }): void;
  /**
   * Hands on the progress for a token that the caller chose (PROG-01: a string that no other caller uses).
   * The token may outlive the request that carries it in `_meta`.
   */
  followProgress(token: string, onProgress: (progress: Progress) => void): Disposable;
  /** Until disposed, idle limits pause as they do while a request of the server is handled (TIME-04). */
  pauseIdleLimits(): Disposable;
  /** Adds a diagnostic of a layer above to {@link onDidDiagnose}. */
  diagnose(level: Diagnostic['level'], text: string): void;
  /** Rejects pending requests with `closed` at once. Resolves when the channel has ended completely. */
  close(): Promise<void>;
}
