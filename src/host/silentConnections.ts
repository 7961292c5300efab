/**
 * Keeps a listener of this machine open for those who ask: every program here can connect to it. Of the connections
 * without a whole request, the oldest makes room for the next, which may be the one that counts.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Disposable } from '../base/disposable.ts';

const maxSilent = 64;
/** For `listen`: of those that wait to be accepted there are fewer than make room, so that each is read before its turn. */
export const backlog = 32;
/** Milliseconds that a connection may take to send the headers of its request, and between two looks at that. */
export const silenceLimits = {
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
} as const;

/** @returns disposing it ends those that have asked nothing yet */
export function boundSilentConnections(server: Server): Disposable {
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
