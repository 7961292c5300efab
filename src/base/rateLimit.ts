/** Limits how often something may happen within any minute, or another time, per key. */
import { type Clock, systemClock } from './clock.ts';

export type Admission =
  | { readonly kind: 'admitted' }
  /** `isFirst`: the first refusal since one was admitted. */
  | { readonly kind: 'refused'; readonly retryAfterMs: number; readonly isFirst: boolean };

export class RateLimit {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #times = new Map<string, readonly number[]>();
  readonly #refused = new Set<string>();

  constructor(most: number, clock: Pick<Clock, 'now'> = systemClock, windowMs = 60_000) {
    this.#most = most;
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** @param max for this key, instead of the general one */
  admit(key = '', max = this.#most): Admission {
    const now = this.#clock.now();
    // A time in the future is from before the clock was set back.
    const recent = (this.#times.get(key) ?? []).filter(
      (time) => time <= now && now - time < this.#windowMs,
    );
    const oldest = recent[recent.length - max];
    if (oldest !== undefined) {
      const isFirst = !this.#refused.has(key);
      this.#refused.add(key);
      return { kind: 'refused', retryAfterMs: this.#windowMs - (now - oldest), isFirst };
    }
    this.#refused.delete(key);
    this.#times.set(key, [...recent, now]);
    return { kind: 'admitted' };
  }
}
