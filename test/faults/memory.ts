/** How much memory something takes: at the most, and what of it stays. */
import { after, delay } from '../../src/base/async.ts';
import type { Disposable } from '../../src/base/disposable.ts';
import { inMegabytes, inUse, megabyte } from '../support/memoryInUse.ts';
import { turns } from '../support/waitUntil.ts';

const everyMs = 25;
/** A connection that was cut lets go of what was under way when the system has told both of its ends. */
const settleMs = 10_000;

/** What a fault may take: bytes over what was there before. */
export const memoryBounds = {
  /** Of the resident set while it lasts. */
  most: 512 * megabyte,
  /** In use when it is over, after a collection. */
  kept: 8 * megabyte,
  /** In use when all trials are over; what was loaded for the first of them included. */
  keptByAll: 32 * megabyte,
} as const;

export interface Taken {
  readonly most: number;
  readonly kept: number;
}

export class MemoryMeter {
  readonly #rss: number;
  readonly #used: number;
  #most = 0;
  #next: Disposable;

  constructor() {
    this.#used = inUse();
    this.#rss = process.memoryUsage.rss();
    this.#next = after(0, () => this.#look());
  }

  /** Of everything since the start. */
  async stop(): Promise<Taken> {
    this.#next.dispose();
    const end = performance.now() + settleMs;
    for (;;) {
      inUse();
      await turns(); // memory of buffers is given back after the collection
      const kept = inUse() - this.#used;
      if (kept <= memoryBounds.kept || performance.now() > end) {
        return { most: this.#most, kept };
      }
      await delay(everyMs);
    }
  }

  #look(): void {
    this.#most = Math.max(this.#most, process.memoryUsage.rss() - this.#rss);
    this.#next = after(everyMs, () => this.#look());
  }
}

export function describeMemory({ most, kept }: Taken): string {
  return `${inMegabytes(most)} at most, ${inMegabytes(Math.max(0, kept))} after`;
}

/** What is over its bound, one sentence each. */
export function memoryProblems({ most, kept }: Taken): readonly string[] {
  return [
    ...(most > memoryBounds.most ? [`took ${inMegabytes(most)}`] : []),
    ...(kept > memoryBounds.kept ? [`kept ${inMegabytes(kept)}`] : []),
  ];
}
