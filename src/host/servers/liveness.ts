/**
 * Whether a server that is silent is still there: asks it now and then, and at once after the machine
 * slept, since nothing tells us of a connection that was lost meanwhile. What follows is the
 * connection's business; calls have limits of time of their own.
 */
import { type Disposable, MutableDisposable } from '../../base/disposable.ts';
import { onUnexpectedError } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import type { Session } from '../../mcp/era/session.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import type { Clock } from './clock.ts';

export const livenessRules = {
  /** Milliseconds between two pings of a server that nobody uses. */
  pingEveryMs: 60_000,
  /** Milliseconds for the answer. */
  pongMs: 15_000,
  /** Pings in a row without an answer after which a connection counts as lost; after a sleep, one is enough. */
  maxMisses: 2,
  /** The same over standard streams: they cannot be lost unnoticed, and a program may be at work for minutes. */
  maxMissesOfProcess: 10,
  /** A timer that is late by more than this many milliseconds: the machine slept. */
  sleptMs: 20_000,
} as const;

export interface LivenessOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Somebody waits for the server: a server may do one thing at a time. */
  readonly isBusy: () => boolean;
  /** Called at most once. */
  readonly onLost: (error: McpError) => void;
}

/** Watches until it is disposed (PING-02, PING-03). */
export function watchLiveness(session: Session, options: LivenessOptions): Disposable {
  return new Liveness(session, options);
}

class Liveness implements Disposable {
  readonly #session: Session;
  readonly #options: LivenessOptions;
  readonly #timer = new MutableDisposable<Disposable>();
  readonly #end = new AbortController();
  /** Some servers ignore pings: their silence says nothing. */
  #hasAnswered = false;
  #misses = 0;

  constructor(session: Session, options: LivenessOptions) {
    this.#session = session;
    this.#options = options;
    this.#schedule();
  }

  dispose(): void {
    this.#end.abort();
    this.#timer.dispose();
  }

  #schedule(): void {
    const { clock } = this.#options;
    const dueAt = clock.now() + livenessRules.pingEveryMs;
    this.#timer.value = clock.after(livenessRules.pingEveryMs, () => {
      const hasSlept = clock.now() - dueAt > livenessRules.sleptMs;
      void this.#look(hasSlept).catch(onUnexpectedError);
    });
  }

  async #look(hasSlept: boolean): Promise<void> {
    const { isBusy, log } = this.#options;
    if (hasSlept) {
      log.info('The machine slept: looking whether the server is still there');
    }
    const isSilent = !isBusy() && (await this.#isSilent());
    if (this.#end.signal.aborted) {
      return;
    }
    if (!isSilent || isBusy()) {
      this.#misses = 0;
    } else {
      this.#misses += 1;
      log.warn(`No answer to a ping within ${livenessRules.pongMs / 1_000} s`);
    }
    if (this.#misses >= this.#maxMisses(hasSlept)) {
      this.#options.onLost(new McpError('timeout', 'it no longer answers pings'));
    } else {
      this.#schedule();
    }
  }

  #maxMisses(hasSlept: boolean): number {
    if (this.#session.server.transport === 'stdio') {
      return livenessRules.maxMissesOfProcess;
    }
    return hasSlept ? 1 : livenessRules.maxMisses;
  }

  /** Only of one that has answered before, and only for want of an answer: errors are answers, too. */
  async #isSilent(): Promise<boolean> {
    const { pongMs } = livenessRules;
    const { signal } = this.#end;
    try {
      await this.#session.call('ping', {}, { signal, times: { idleMs: pongMs, totalMs: pongMs } });
      this.#hasAnswered = true;
      return false;
    } catch (error) {
      const code = isMcpError(error) ? error.code : undefined;
      this.#hasAnswered ||= code === 'rpc';
      return code === 'timeout' && this.#hasAnswered;
    }
  }
}
