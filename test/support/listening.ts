/** Servers of tests on a loopback address. */
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';

/** Lets a server listen, at this port or Unix socket. @returns its port */
export async function listen(
  server: Server,
  host = '127.0.0.1',
  port: number | string = 0,
): Promise<number> {
  if (typeof port === 'string') {
    server.listen(port);
  } else {
    server.listen(port, host);
  }
  await once(server, 'listening');
  return portOf(server);
}

export function portOf(server: { address(): unknown }): number {
  const { port }: { readonly port: number } = Object(server.address());
  return port;
}

/** Ends a server with its connections. */
export async function shut(server: HttpServer): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}

/** A port at which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}
