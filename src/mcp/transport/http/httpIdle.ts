/**
 * Closes idle connections before the server does. Servers commonly close theirs after 5 s without notice,
 * and a request that meets such a close is lost with its outcome unknown. One timer checks all connections;
 * a limit on each socket would cost every request two listeners and a timer.
 */
import type { Agent } from 'node:http';
import { after } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';

/** Longest time a connection may idle, in milliseconds. */
const longestIdleMs = 4_000;
/** Lower bound, however short a time the server allows. The timer runs twice as often. */
const shortestIdleMs = 500;
/** How long before the time in the server's `Keep-Alive` we close, in milliseconds. */
const aheadMs = 1_000;

export class IdleSockets implements Disposable {
  readonly #agent: Agent;
  /** Bytes sent over each connection that was idle at the last check. */
  #sent: ReadonlyMap<object, number> = new Map<object, number>();
  #limitMs = longestIdleMs;
  #timer: Disposable | undefined;

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** A response has come, so its connection may idle soon. `keepAlive`: its `Keep-Alive` header. */
  expect(keepAlive: string | string[] | undefined): void {
    const limitMs = limitOf(keepAlive);
    if (limitMs !== this.#limitMs) {
      this.#limitMs = limitMs;
      this.dispose();
    }
    this.#timer ??= this.#later();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  /**
   * Runs twice per limit: a connection that is idle at two checks in a row has idled for half the limit to
   * the whole limit.
   */
  #later(): Disposable {
    return after(this.#limitMs / 2, () => this.#look());
  }

  #look(): void {
    const sent = new Map<object, number>();
    for (const socket of Object.values(this.#agent.freeSockets).flatMap((free) => free ?? [])) {
      if (this.#sent.get(socket) === socket.bytesWritten) {
        socket.destroy();
      } else {
        sent.set(socket, socket.bytesWritten);
      }
    }
    this.#sent = sent;
    const isInUse = sent.size > 0 || Object.keys(this.#agent.sockets).length > 0;
    this.#timer = isInUse ? this.#later() : undefined;
  }
}

/** Reads `Keep-Alive: timeout=5, max=99` (RFC 2068 section 19.7.1.1). Apache decreases `max` with each request. */
function limitOf(keepAlive: string | string[] | undefined): number {
  if (keepAlive === undefined) {
    return longestIdleMs;
  }
  const seconds = /^timeout=(\d+)/u.exec(String(keepAlive))?.[1];
  const allowedMs = seconds === undefined ? Infinity : Number(seconds) * 1_000 - aheadMs;
  return Math.max(shortestIdleMs, Math.min(longestIdleMs, allowedMs));
}
