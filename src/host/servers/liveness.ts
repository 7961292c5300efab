/**
 * Checks whether a silent server is still there: by a ping now and then, and at once after the machine slept or changed
 * its network, since the loss of a connection meanwhile is not reported. The connection decides what follows; calls
 * have timeouts of their own.
 */
import { t } from '../../base/l10n.ts';
import type { ResolvedLaunch } from '../launch/launchGate.ts';
import { type Disposable, DisposableStore, MutableDisposable } from '../../base/disposable.ts';
import { onUnexpectedError } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import type { Session } from '../../mcp/session/session.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disruption, Disruptions } from './disruptions.ts';

export const livenessRules = {
  /** Milliseconds between two pings of an idle server; the default of the entry. */
  pingEveryMs: 60_000,
  /** Milliseconds for the answer to a ping. */
  pongMs: 15_000,
  /** Unanswered pings in a row after which a connection counts as lost; after a disruption, one is enough. */
  maxMisses: 2,
  /** The same over standard streams: they cannot be lost unnoticed, and a program may be busy for minutes. */
  maxMissesOfProcess: 10,
} as const;

export interface LivenessOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly disruptions: Disruptions;
  /** How the server is reached. */
  readonly reach: Reach;
  /** Milliseconds between two pings; 0: no pings at all. */
  readonly pingEveryMs: number;
  /** A request waits for the server, which may do one thing at a time. */
  readonly isBusy: () => boolean;
  /** Called at most once. */
  readonly onLost: (error: McpError) => void;
}

/** `process`: over standard streams. `machine`: on this machine, `network`: beyond it. */
export type Reach = 'process' | 'machine' | 'network';

export function reachOf(launch: ResolvedLaunch): Reach {
  if (launch.kind === 'stdio') {
    return 'process';
  }
  const isHere = isLoopback(new URL(launch.url)) || 'socketPath' in launch;
  return isHere ? 'machine' : 'network';
}

const afterwards: Readonly<Record<Disruption, string>> = {
  slept: 'The machine slept: checking whether the server still answers',
  networkChanged: 'The network of this machine changed: checking whether the server still answers',
};

/** Watches until it is disposed (PING-02, PING-03). */
export class Liveness implements Disposable {
  readonly #session: Session;
  readonly #options: LivenessOptions;
  readonly #timer = new MutableDisposable<Disposable>();
  readonly #store = new DisposableStore();
  readonly #end = new AbortController();
  /** Some servers ignore pings: their silence means nothing. */
  #hasAnswered = false;
  /** The connection may have been cut, and the server has sent nothing since. */
  #isInDoubt = false;
  #isLooking = false;
  #misses = 0;

  constructor(session: Session, options: LivenessOptions) {
    this.#session = session;
    this.#options = options;
    if (options.pingEveryMs > 0) {
      this.#schedule();
      this.#store.add(options.disruptions.watch((disruption) => this.#onDisruption(disruption)));
    }
  }

  dispose(): void {
    this.#end.abort();
    this.#store.dispose();
    this.#timer.dispose();
  }

  #onDisruption(disruption: Disruption): void {
    const { reach, log } = this.#options;
    // Pipes survive every disruption; connections within the machine survive a change of network.
    if (reach === 'process' || (reach === 'machine' && disruption === 'networkChanged')) {
      return;
    }
    log.info(afterwards[disruption]);
    this.#isInDoubt = true;
    this.#lookNow();
  }

  #schedule(): void {
    const { clock, pingEveryMs } = this.#options;
    this.#timer.value = clock.after(pingEveryMs, () => this.#lookNow());
  }

  #lookNow(): void {
    if (!this.#isLooking) {
      void this.#look().catch(onUnexpectedError);
    }
  }

  async #look(): Promise<void> {
    const { isBusy, log } = this.#options;
    this.#isLooking = true;
    const wasBusy = isBusy();
    const isSilent = !wasBusy && (await this.#isSilent());
    this.#isLooking = false;
    if (this.#end.signal.aborted) {
      return;
    }
    if (!isSilent || isBusy()) {
      this.#misses = 0;
    } else {
      this.#misses += 1;
      log.warn(`No answer to a ping within ${livenessRules.pongMs / 1_000} s`);
    }
    if (this.#misses >= this.#maxMisses()) {
      this.dispose();
      this.#options.onLost(new McpError('timeout', t('it no longer answers pings')));
    } else {
      this.#schedule();
    }
  }

  #maxMisses(): number {
    if (this.#options.reach === 'process') {
      return livenessRules.maxMissesOfProcess;
    }
    return this.#isInDoubt ? 1 : livenessRules.maxMisses;
  }

  /** Only for a server that has answered a ping before, and only without an answer: errors are answers, too. */
  async #isSilent(): Promise<boolean> {
    const { pongMs } = livenessRules;
    const { signal } = this.#end;
    try {
      await this.#session.call('ping', {}, { signal, times: { idleMs: pongMs, totalMs: pongMs } });
      this.#hasAnswered = true;
      this.#isInDoubt = false;
      return false;
    } catch (error) {
      const code = isMcpError(error) ? error.code : undefined;
      this.#hasAnswered ||= code === 'rpc';
      this.#isInDoubt &&= code !== 'rpc';
      return code === 'timeout' && this.#hasAnswered;
    }
  }
}
