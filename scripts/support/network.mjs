// Loopback ports: find a free one, wait until somebody answers on it.
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from './output.mjs';

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address.port));
    });
  });
}

/**
 * Waits until `url` answers at all, whatever the status. Fails when the process behind it ends or the time is over.
 * @param {string} what the thing's name, for the message
 */
export async function waitForUrl(what, url, running, timeoutMs = 60_000) {
  const until = Date.now() + timeoutMs;
  while (Date.now() < until) {
    if (!running.isRunning()) {
      throw new Failure(`${what} ended before it was ready.\n${running.output().trim()}`);
    }
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(5000), redirect: 'manual' });
      await answer.body?.cancel();
      return;
    } catch {
      await delay(100);
    }
  }
  throw new Failure(
    `${what} did not answer on ${url} within ${timeoutMs / 1000} s.\n${running.output().trim()}`,
  );
}
