/** Holds back values that come too often: keeps the newest of each kind and delivers it when its time has come. */
import { after } from './async.ts';
import type { Disposable } from './disposable.ts';

export interface CoalescerRate {
  /** Values that pass at once per window. */
  readonly max: number;
  readonly windowMs: number;
  /** Limit of kinds held back at the same time; beyond it the oldest are dropped. Default 1,000. */
  readonly maxHeld?: number;
}

export class Coalescer<K, V> implements Disposable {
  readonly #deliver: (value: V) => void;
  readonly #rate: Required<CoalescerRate>;
  readonly #held = new Map<K, V>();
  #windowStart = Number.NEGATIVE_INFINITY;
  #passed = 0;
  #timer: Disposable | undefined;

  constructor(rate: CoalescerRate, deliver: (value: V) => void) {
    this.#rate = { maxHeld: 1_000, ...rate };
    this.#deliver = deliver;
  }

  /** Delivers at once within the rate; otherwise `value` replaces an earlier one with this key. */
  push(key: K, value: V): void {
    const now = performance.now();
    const { max, windowMs, maxHeld } = this.#rate;
    if (now - this.#windowStart >= windowMs) {
      this.flush(); // if a timer is late, the newer value must not overtake the older one
      this.#windowStart = now;
      this.#passed = 0;
    }
    if (this.#passed < max) {
      this.#passed += 1;
      this.#deliver(value);
      return;
    }
    this.#held.delete(key);
    this.#held.set(key, value);
    if (this.#held.size > maxHeld) {
      for (const oldest of this.#held.keys()) {
        this.#held.delete(oldest);
        break;
      }
    }
    this.#timer ??= after(this.#windowStart + windowMs - now, () => this.flush());
  }

  /** Delivers what is held back, oldest first. */
  flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const values = [...this.#held.values()];
    this.#held.clear();
    for (const value of values) {
      this.#deliver(value);
    }
  }

  /** Drops what is held back. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#held.clear();
  }
}
