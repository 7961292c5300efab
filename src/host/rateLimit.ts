/** Limits how often something may happen in a time window, per key. */
import type { Clock } from '../base/clock.ts';

export interface RateLimitOptions {
  readonly max: number;
  readonly windowMs: number;
}

export type Admission =
  | { readonly kind: 'admitted' }
  /** `isFirst`: the first refusal since one was admitted. */
  | { readonly kind: 'refused'; readonly retryAfterMs: number; readonly isFirst: boolean };

export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #times = new Map<string, readonly number[]>();
  readonly #refused = new Set<string>();

  constructor(options: RateLimitOptions, clock: Pick<Clock, 'now'>) {
    this.#options = options;
    this.#clock = clock;
  }

  /** @param max for this key, instead of the general one */
  admit(key: string, max = this.#options.max): Admission {
    const now = this.#clock.now();
    const { windowMs } = this.#options;
    // A time in the future is from before the clock was set back.
    const recent = (this.#times.get(key) ?? []).filter(
      (time) => time <= now && now - time < windowMs,
    );
    const oldest = recent[recent.length - max];
    if (oldest !== undefined) {
      const isFirst = !this.#refused.has(key);
      this.#refused.add(key);
      return { kind: 'refused', retryAfterMs: windowMs - (now - oldest), isFirst };
    }
    this.#refused.delete(key);
    this.#times.set(key, [...recent, now]);
    return { kind: 'admitted' };
  }
}
