/**
 * The contract of a JSON-RPC peer on one Transport: requests with their replies, deadlines, progress
 * and cancellation, both ways. It knows the messages that serve those, and no MCP feature.
 */
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { CloseReason, Diagnostic, SendOptions } from '../transport/transport.ts';
import type { Params, RequestId } from '../types/message.ts';
import type { Progress, RequestsInFlight } from './runningRequest.ts';

export type { Progress };

export interface RequestOptions extends SendOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds since the last sign of life of this request; `Infinity` for no limit. */
  readonly idleMs: number;
  /** Milliseconds from start to end; `Infinity` for no limit (`subscriptions/listen`). */
  readonly totalMs: number;
  /** Said when the limit of that name is over: how to change it ("which … can raise"). */
  readonly idleHint?: string;
  readonly totalHint?: string;
  readonly onProgress?: (progress: Progress) => void;
  /** For progress that goes on after the answer (see {@link Peer.followProgress}); before it, it is a sign of life. */
  readonly progressToken?: string;
  /** False for `initialize`, which must not be cancelled by notification (CANC-02). */
  readonly isCancellable?: boolean;
  /** A first question that the server may not know: see {@link Peer.request}. */
  readonly isProbe?: boolean;
  /** Told the id before the request is sent, for who matches notifications to it (see {@link Notification}). */
  readonly onId?: (id: RequestId) => void;
  /** Who wants it, in terms of the caller: handed back by {@link Peer.inFlight}, and not looked into. */
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
  /** The request whose reply stream carried it; absent where all share one channel. */
  readonly during?: RequestId;
}

export interface Peer {
  /** All but `notifications/progress` and, unless requests are dropped, `notifications/cancelled`. */
  readonly onDidReceiveNotification: Event<Notification>;
  /** Fires exactly once. */
  readonly onDidClose: Event<CloseReason>;
  readonly onDidLoseSession: Event<void>;
  readonly onDidOpenPushStream: Event<void>;
  readonly onDidDiagnose: Event<Diagnostic>;
  readonly inFlight: RequestsInFlight;
  /**
   * Sends one request and waits for its reply. Nothing is sent when the signal is aborted already.
   * Progress that arrives before the reply is delivered before it. While a probe is the only request that waits, an
   * error that has none of our ids refuses it (ERA-03): servers that cannot read a request do not know its id.
   * @throws RpcError for an error reply; McpError `timeout`, `cancelled`, `closed` (the outcome is
   *   unknown), or what the transport's `send` rejected with.
   */
  request(method: string, params: Params | undefined, options: RequestOptions): Promise<unknown>;
  /** @throws what the transport's `send` rejected with. */
  notify(method: string, params?: Params): Promise<void>;
  /**
   * Names what the server may ask. Until then its requests wait, all but `ping`, which is always
   * answered; from then on a method that is not named gets -32601.
   */
  acceptRequests(handlers: ReadonlyMap<string, RequestHandler>): void;
  /**
   * The server may send no requests: they are reported and get no reply (BASE-04, BASE-05). A
   * `notifications/cancelled` is about one of ours then, and handed on like any other. Ends with
   * {@link beginSession}.
   */
  dropRequests(): void;
  /** Forgets the conversation, for a new handshake: the server's requests end without reply and wait again. */
  beginSession(): void;
  sessionReady(agreed: {
    readonly revision: string;
    readonly sendsVersionHeader: boolean;
    /** The requests of one received array are answered in one array (BASE-09); else one by one. */
    readonly answersBatches?: boolean;
  }): void;
  /**
   * Hands on the progress for a token of the caller's own (PROG-01: a string that no other caller
   * uses), which may outlive the request that carries it in `_meta`.
   */
  followProgress(token: string, onProgress: (progress: Progress) => void): Disposable;
  /** Until disposed, idle limits rest as they do while a request of the server is handled (TIME-04). */
  pauseIdleLimits(): Disposable;
  /** Adds an observation of a layer above to {@link onDidDiagnose}. */
  diagnose(level: Diagnostic['level'], text: string): void;
  /** Rejects what is pending with `closed` at once; resolves when nothing of the channel is left. */
  close(): Promise<void>;
}
