/**
 * Events that may have cut connections unnoticed: the machine slept, or changed its network. One check every few
 * seconds serves all servers, and only while there are listeners. liveness.ts decides what follows.
 */
import { networkInterfaces } from 'node:os';
import { type Disposable, MutableDisposable, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Clock } from '../../base/clock.ts';

export const disruptionRules = {
  /** Milliseconds between two checks. One reads the system's addresses, which takes less than 1 ms. */
  lookEveryMs: 10_000,
  /** A check that is late by more than this many milliseconds means that the machine slept. */
  sleptMs: 20_000,
  /** Addresses come and go one by one for a while: they count once they are the same after this many milliseconds. */
  settleMs: 2_000,
} as const;

export type Disruption = 'slept' | 'networkChanged';

export class Disruptions {
  readonly #clock: Clock;
  readonly #readNetwork: () => string;
  readonly #happened = new Emitter<Disruption>();
  readonly #timer = new MutableDisposable<Disposable>();
  #network = '';
  /** The addresses differ from those last reported to listeners. */
  #isUnsettled = false;

  /** @param readNetwork a text that changes with the network; tests set it */
  constructor(clock: Clock, readNetwork: () => string = networkAddresses) {
    this.#clock = clock;
    this.#readNetwork = readNetwork;
  }

  /** Calls `listener` after each disruption until disposed. */
  watch(listener: (disruption: Disruption) => void): Disposable {
    if (!this.#happened.hasListeners) {
      this.#network = this.#readNetwork();
      this.#isUnsettled = false;
      this.#schedule(disruptionRules.lookEveryMs);
    }
    const subscription = this.#happened.event(listener);
    return toDisposable(() => {
      subscription.dispose();
      if (!this.#happened.hasListeners) {
        this.#timer.value = undefined;
      }
    });
  }

  #schedule(ms: number): void {
    const dueAt = this.#clock.now() + ms;
    this.#timer.value = this.#clock.after(ms, () => {
      this.#look(this.#clock.now() - dueAt > disruptionRules.sleptMs);
    });
  }

  #look(hasSlept: boolean): void {
    const before = this.#network;
    this.#network = this.#readNetwork();
    const isMoving = this.#network !== before;
    this.#isUnsettled ||= isMoving;
    // Without any address there is no server to ping and no connection to reopen.
    const isSettledAnew = this.#isUnsettled && !isMoving && this.#network !== '';
    this.#isUnsettled &&= !isSettledAnew;
    this.#schedule(isMoving ? disruptionRules.settleMs : disruptionRules.lookEveryMs);
    if (hasSlept) {
      this.#happened.fire('slept');
    } else if (isSettledAnew) {
      this.#happened.fire('networkChanged');
    }
  }
}

/** The addresses of this machine, in a stable order; empty without a network. */
export function networkAddresses(): string {
  try {
    return Object.entries(networkInterfaces())
      .flatMap(([name, addresses = []]) =>
        addresses
          // Every interface that comes up, even a container's, has a link-local address at once.
          .filter(({ internal, address }) => !internal && !/^fe80:/iu.test(address))
          .map(({ cidr, address }) => `${name} ${cidr ?? address}`),
      )
      .toSorted()
      .join('\n');
  } catch {
    return ''; // some sandboxes forbid the question
  }
}
