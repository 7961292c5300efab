/** A Clock whose hands a test turns. */
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';
import type { Clock } from '../../src/base/clock.ts';

export class FakeClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Disposable {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  get pending(): number {
    return this.#timers.size;
  }

  /** Runs what is due on the way, in order of time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers]
        .filter(({ at }) => at <= end)
        .toSorted((a, b) => a.at - b.at);
      if (next === undefined) {
        break;
      }
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  /** The machine sleeps: what was due meanwhile runs afterwards, all of it late. */
  sleep(ms: number): void {
    this.#now += ms;
    this.advance(0);
  }
}
