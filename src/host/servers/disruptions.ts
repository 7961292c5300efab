/**
 * What may have cut connections without a sign: the machine slept, or is in another network. One look
 * every few seconds serves all servers, and only while somebody listens. What follows is liveness.ts's
 * business.
 */
import { networkInterfaces } from 'node:os';
import { type Disposable, MutableDisposable, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Clock } from '../../base/clock.ts';

export const disruptionRules = {
  /** Milliseconds between two looks. A look asks the system for its addresses, which takes less than one. */
  lookEveryMs: 10_000,
  /** A look that is late by more than this many milliseconds: the machine slept. */
  sleptMs: 20_000,
  /** Addresses come and go one by one for a while: they count once they are the same this much later. */
  settleMs: 2_000,
} as const;

export type Disruption = 'slept' | 'networkChanged';

export class Disruptions {
  readonly #clock: Clock;
  readonly #readNetwork: () => string;
  readonly #happened = new Emitter<Disruption>();
  readonly #timer = new MutableDisposable<Disposable>();
  #network = '';
  /** The addresses are not those that listeners have heard of last. */
  #isUnsettled = false;

  /** @param readNetwork a text that is another one when the network is; another one in tests */
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
    // Without any address there is nobody to be asked, and nothing to be opened anew.
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

/** The addresses by which this machine is reached, in a stable order; empty without a network. */
export function networkAddresses(): string {
  try {
    return Object.entries(networkInterfaces())
      .flatMap(([name, addresses = []]) =>
        addresses
          // Every interface that comes up has a link-local one at once, that of a container, too.
          .filter(({ internal, address }) => !internal && !/^fe80:/iu.test(address))
          .map(({ cidr, address }) => `${name} ${cidr ?? address}`),
      )
      .toSorted()
      .join('\n');
  } catch {
    return ''; // some sandboxes forbid the question
  }
}
