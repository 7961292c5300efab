/** What tasks of revision 2025-11-25 need from their session, whichever side runs them. */
import type { Disposable } from '../../../base/disposable.ts';
import type { Params } from '../../types/message.ts';
import type { Progress, RequestOptions } from '../../rpc/peer.ts';
import type { RequestsInFlight } from '../../rpc/runningRequest.ts';
import type { Diagnostic } from '../../transport/transport.ts';
import type { ServerDescription } from '../../session/session.ts';

export interface TaskOwner {
  server(): ServerDescription;
  /** Sends again if the server refused the request because it forgot the session. */
  request(method: string, params: Params, options: RequestOptions): Promise<unknown>;
  /** Never throws. */
  notify(method: string, params: Params): void;
  followProgress(token: string, onProgress: (progress: Progress) => void): Disposable;
  /** Pauses the limits of our requests that may wait for our own work. */
  pauseIdleLimits(): Disposable;
  diagnose(level: Diagnostic['level'], text: string): void;
  /** The session's requests that wait for a reply. */
  readonly inFlight: RequestsInFlight;
  /** Aborts when the connection ends. */
  readonly lifetime: AbortSignal;
}
