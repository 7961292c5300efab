/** A limit per second: lets `max` events through, and reports at the end of the second how many more there were. */
import type { Clock } from '../../base/clock.ts';

const windowMs = 1_000;

export class PerSecond {
  readonly #clock: Clock;
  readonly #max: number;
  readonly #onDropped: (count: number) => void;
  #windowStart = Number.NEGATIVE_INFINITY;
  #inWindow = 0;
  #dropped = 0;

  /** @param onDropped receives, at the end of a second, the number of events beyond the limit */
  constructor(clock: Clock, max: number, onDropped: (count: number) => void) {
    this.#clock = clock;
    this.#max = max;
    this.#onDropped = onDropped;
  }

  admits(): boolean {
    const now = this.#clock.now();
    const elapsed = now - this.#windowStart;
    // The clock may be set back.
    if (elapsed >= windowMs || elapsed < 0) {
      this.#windowStart = now;
      this.#inWindow = 0;
    }
    this.#inWindow += 1;
    if (this.#inWindow <= this.#max) {
      return true;
    }
    if (this.#dropped === 0) {
      // A timer: there may be no later event that could report the count.
      this.#clock.after(this.#windowStart + windowMs - now, () => this.#tell());
    }
    this.#dropped += 1;
    return false;
  }

  #tell(): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#onDropped(dropped);
  }
}
