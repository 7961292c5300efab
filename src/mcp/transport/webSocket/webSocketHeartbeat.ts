/**
 * Detects a dead WebSocket: after a silence it sends a ping, and a server that then sends nothing at all is
 * gone. The transport decides what follows.
 */
import type { WebSocket } from 'ws';
import { after } from '../../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../../base/disposable.ts';
import type { WebSocketLimits } from '../limits.ts';

/**
 * Begins to listen; ends when disposed.
 * @param socket an open socket
 * @param bytesRead bytes received over its connection: a large message can take long, and delays the pong
 */
export function startHeartbeat(
  socket: WebSocket,
  bytesRead: () => number,
  { pingAfterMs, pongMs }: WebSocketLimits,
  onSilence: () => void,
): Disposable {
  const timer = new MutableDisposable<Disposable>();
  /** Calls `otherwise` if nothing arrives within `ms` milliseconds; otherwise starts again. */
  const within = (ms: number, otherwise: () => void): void => {
    const before = bytesRead();
    timer.value = after(ms, () => (bytesRead() > before ? listen() : otherwise()));
  };
  const listen = (): void =>
    within(pingAfterMs, () => {
      socket.ping();
      within(pongMs, onSilence);
    });
  listen();
  return timer;
}
