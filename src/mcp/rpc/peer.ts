/** Matches replies to requests on one Transport. (contract; implementation follows) */
import type { Event } from '../../base/event.ts';
import type { CloseReason, Diagnostic, SendOptions } from '../transport/transport.ts';
import type { Params, RequestId } from './message.ts';

/** `notifications/progress` without its token. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface RequestOptions extends SendOptions {
  /** Milliseconds since the last sign of life of this request. */
  readonly idleMs: number;
  /** Milliseconds from start to end. */
  readonly totalMs: number;
  readonly onProgress?: (progress: Progress) => void;
  /** False for `initialize`, which must not be cancelled by notification (CANC-02). */
  readonly isCancellable?: boolean;
}

export interface RequestContext {
  readonly signal: AbortSignal;
  readonly during?: RequestId;
}
export type RequestHandler = (params: Params, context: RequestContext) => Promise<unknown>;

export interface Notification {
  readonly method: string;
  readonly params: Params;
  readonly during?: RequestId;
}

export interface Peer {
  readonly onDidReceiveNotification: Event<Notification>;
  readonly onDidClose: Event<CloseReason>;
  readonly onDidLoseSession: Event<void>;
  readonly onDidDiagnose: Event<Diagnostic>;
  request(method: string, params: Params | undefined, options: RequestOptions): Promise<unknown>;
  notify(method: string, params?: Params): Promise<void>;
  acceptRequests(handlers: ReadonlyMap<string, RequestHandler>): void;
  beginSession(): void;
  sessionReady(agreed: { readonly revision: string; readonly sendsVersionHeader: boolean }): void;
  close(): Promise<void>;
}
