/**
 * Delivers values at once up to a number per second. Holds back the rest until the second is over: the newest of each
 * key, and the last ones if there are many.
 */
import { type Clock, systemClock } from './clock.ts';
import type { Disposable } from './disposable.ts';

const windowMs = 1_000;

export interface ThrottleOptions {
  /** Values that are delivered at once in each second. */
  readonly perSecond: number;
  /** Limit of values held back; beyond it the oldest are dropped. */
  readonly maxHeld: number;
  /** Receives the number of dropped values when the second is over. */
  readonly onDropped?: (count: number) => void;
  readonly clock?: Clock;
}

export class Throttle<T> implements Disposable {
  readonly #options: ThrottleOptions;
  readonly #clock: Clock;
  readonly #deliver: (value: T) => void;
  readonly #held = new Map<unknown, T>();
  #windowStart = Number.NEGATIVE_INFINITY;
  #delivered = 0;
  #dropped = 0;
  #timer: Disposable | undefined;

  constructor(options: ThrottleOptions, deliver: (value: T) => void) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#deliver = deliver;
  }

  /** @param key a held value with the same key is replaced; by default none is */
  push(value: T, key: unknown = {}): void {
    const now = this.#clock.now();
    const elapsed = now - this.#windowStart;
    // The clock may have been set back.
    if (elapsed >= windowMs || elapsed < 0) {
      this.flush(); // if the timer is late, the newer value must not overtake the older ones
      this.#windowStart = now;
      this.#delivered = 0;
    }
    if (this.#delivered < this.#options.perSecond) {
      this.#delivered += 1;
      this.#deliver(value);
      return;
    }
    this.#held.delete(key);
    this.#held.set(key, value);
    if (this.#held.size > this.#options.maxHeld) {
      const [oldest] = this.#held.keys();
      this.#held.delete(oldest);
      this.#dropped += 1;
    }
    this.#timer ??= this.#clock.after(this.#windowStart + windowMs - now, () => this.flush());
  }

  /** Delivers what is held back, oldest first. */
  flush(): void {
    const dropped = this.#dropped;
    const values = [...this.#held.values()];
    this.dispose();
    if (dropped > 0) {
      this.#options.onDropped?.(dropped);
    }
    for (const value of values) {
      this.#deliver(value);
    }
  }

  /** Drops what is held back. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#held.clear();
    this.#dropped = 0;
  }
}
