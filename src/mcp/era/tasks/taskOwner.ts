/** What tasks of revision 2025-11-25 need of the session that they belong to, whichever side runs them. */
import type { Disposable } from '../../../base/disposable.ts';
import type { Params } from '../../types/message.ts';
import type { Progress, RequestOptions } from '../../rpc/peer.ts';
import type { RequestsInFlight } from '../../rpc/runningRequest.ts';
import type { Diagnostic } from '../../transport/transport.ts';
import type { ServerDescription } from '../../session/session.ts';

export interface TaskOwner {
  server(): ServerDescription;
  /** Sends again what a session refused that the server forgot. */
  request(method: string, params: Params, options: RequestOptions): Promise<unknown>;
  /** Never throws. */
  notify(method: string, params: Params): void;
  followProgress(token: string, onProgress: (progress: Progress) => void): Disposable;
  /** Holds back the limits of requests of ours that may wait for what we do. */
  pauseIdleLimits(): Disposable;
  diagnose(level: Diagnostic['level'], text: string): void;
  /** Its requests that wait for a reply. */
  readonly inFlight: RequestsInFlight;
  /** Aborts with the connection. */
  readonly lifetime: AbortSignal;
}
