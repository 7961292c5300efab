/**
 * The HTTP request that opens a WebSocket: how it reaches the server, by the URL or over a connection made with
 * the server's own network settings, and what an observer sees of it. Knows nothing of the messages.
 *
 * The package ws calls a function that the editor has patched, but the patch leaves requests to local
 * sockets alone. So the connection is made first, and presented as a local socket.
 */
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ClientOptions, WebSocket } from 'ws';
import type { MessageTap } from '../../messageTap.ts';
import type { Route } from '../../network/route.ts';

export interface Opening {
  readonly url: URL | string;
  readonly options: ClientOptions;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the connection if it is not used. */
  readonly abandon: () => void;
}

/** @throws any error of {@link Route.connect} */
export async function openingOptions(
  route: Route | undefined,
  url: URL,
  signal: AbortSignal,
): Promise<Opening> {
  if (route?.isPastEditor !== true) {
    return { url, options: route?.tls ?? {}, headers: {}, abandon: () => undefined };
  }
  const connected = await route.connect(url, signal);
  return {
    url: overSocket,
    options: requestOver(connected, url),
    headers: { host: url.host },
    abandon: () => connected.destroy(),
  };
}

/**
 * VS Code replaces the function by which ws makes its request, but leaves requests to a local socket alone,
 * so that this one can use our own connection. {@link requestOver} sets the path, because a colon would end
 * it here.
 */
const overSocket = 'ws+unix:/connected:/';

/** Options for a WebSocket over an existing connection. */
function requestOver(connected: Duplex, { pathname, search }: URL): ClientOptions {
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- ws uses of a socket what every stream has
    createConnection: () => connected as Socket,
    finishRequest: (request: ClientRequest) => {
      request.path = pathname + search;
      request.end();
    },
  };
}

/** Shows an observer the request and its response. */
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
