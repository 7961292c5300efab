/**
 * Keeps a local listener available: every program of this machine can connect to it. Of the connections without a
 * complete request, the oldest is closed for the next one, which may be a legitimate client.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Disposable } from '../base/disposable.ts';

const maxSilent = 64;
/** For `listen`: less than the silent connections that are kept, so that each one is read before it is closed. */
const backlog = 32;
/** Milliseconds for a connection to send its request headers, and between two checks of that. */
export const silenceLimits = {
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
} as const;

/**
 * Listens on 127.0.0.1.
 * @param port 0: any free one
 * @returns disposing it closes the connections that have sent no request yet
 * @throws the error of `listen`
 */
export async function listenOnLoopback(
  server: Server,
  port = 0,
): Promise<{ readonly port: number } & Disposable> {
  const silent = boundSilentConnections(server);
  server.listen({ host: '127.0.0.1', port, exclusive: true, backlog });
  await once(server, 'listening');
  const address = server.address();
  return { ...silent, port: typeof address === 'object' ? (address?.port ?? 0) : 0 };
}

function boundSilentConnections(server: Server): Disposable {
  /** Oldest first. */
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
    const [oldest] = silent;
    if (silent.size > maxSilent && oldest !== undefined) {
      silent.delete(oldest);
      oldest.destroy();
    }
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  return {
    dispose: () => {
      for (const socket of silent) {
        socket.destroy();
      }
    },
  };
}
