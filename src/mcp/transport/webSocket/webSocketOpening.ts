/** Shows an observer the HTTP request that opens a WebSocket, and its response. */
import type { WebSocket } from 'ws';
import type { MessageTap } from '../../messageTap.ts';

export function showOpening(
  socket: WebSocket,
  tap: MessageTap | undefined,
  url: URL,
  headers: Readonly<Record<string, string>>,
): void {
  const seen = tap?.observer?.exchanged({ method: 'GET', url: url.href, headers });
  if (seen !== undefined) {
    socket.once('upgrade', ({ statusCode, headers: got }) => seen.answered(statusCode ?? 0, got));
    socket.once('unexpected-response', (_request, { statusCode, headers: got }) =>
      seen.answered(statusCode ?? 0, got),
    );
    socket.once('error', (error) => seen.ended(error));
    socket.once('close', () => seen.ended());
  }
}
