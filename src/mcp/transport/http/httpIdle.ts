/**
 * Closes connections that idle before the server does: servers commonly close theirs after 5 s without
 * saying so, and a request that meets such a close is lost with its outcome unknown. One timer looks at
 * all of them; a limit at each socket would cost every request two listeners and a timer.
 */
import type { Agent } from 'node:http';
import { after } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';

/** Milliseconds. */
const longestIdleMs = 4_000;
/** However short a time the server allows: it is looked twice as often. */
const shortestIdleMs = 500;
/** Milliseconds by which the server is forestalled that says when it closes. */
const aheadMs = 1_000;

export class IdleSockets implements Disposable {
  readonly #agent: Agent;
  /** What had been sent over each that idled when it was last looked. */
  #sent: ReadonlyMap<object, number> = new Map<object, number>();
  #limitMs = longestIdleMs;
  #timer: Disposable | undefined;

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** An answer has come, so that its connection may idle soon. `keepAlive`: the header of this name. */
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

  /** Twice in the limit: what is seen idle twice in a row has idled for half of it at least, and no longer than it. */
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

/** `Keep-Alive: timeout=5, max=99` (RFC 2068 section 19.7.1.1); `max` is what Apache counts down with each request. */
function limitOf(keepAlive: string | string[] | undefined): number {
  if (keepAlive === undefined) {
    return longestIdleMs;
  }
  const seconds = /^timeout=(\d+)/u.exec(String(keepAlive))?.[1];
  const allowedMs = seconds === undefined ? Infinity : Number(seconds) * 1_000 - aheadMs;
  return Math.max(shortestIdleMs, Math.min(longestIdleMs, allowedMs));
}
