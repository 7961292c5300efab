/**
 * How the request that opens a WebSocket gets to the server: by the URL, or over a connection that a server's own
 * settings ask for. What is said over it is not known here.
 *
 * The package ws calls the function that the editor has patched, which leaves requests to local sockets alone: the
 * connection is made first, and said to be one.
 */
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ClientOptions } from 'ws';
import type { Route } from '../../network/route.ts';

export interface Opening {
  readonly url: URL | string;
  readonly options: ClientOptions;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the connection where it is not used. */
  readonly abandon: () => void;
}

/** @throws what {@link Route.connect} throws */
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
 * VS Code replaces the function by which ws makes its request, but leaves requests to a local socket alone: their
 * sockets may come from elsewhere. The path is put in by {@link requestOver}, since a colon would end it here.
 */
const overSocket = 'ws+unix:/connected:/';

/** For a WebSocket over a connection that is there already. */
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
