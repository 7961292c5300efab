/** What belongs to the one HTTP request that opens a WebSocket: the URL that it takes, and who looks at it. */
import type { WebSocket } from 'ws';
import { McpError } from '../errors.ts';
import type { MessageTap } from '../messageTap.ts';

/** @throws McpError `invalidConfig` */
export function checkUrl(url: URL): void {
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw new McpError('invalidConfig', `"${url.protocol}" is not ws: or wss:`);
  }
  if (url.username !== '' || url.password !== '') {
    const message = `The URL of ${url.origin} holds a user name or password: use a header instead`;
    throw new McpError('invalidConfig', message);
  }
}

/** Shows the request, and what it is answered, to whoever looks. */
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
