/** The host's clock, which tests can replace. */
import { after } from './async.ts';
import type { Disposable } from './disposable.ts';

export interface Clock {
  /** Milliseconds since some fixed point. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds unless disposed before. */
  after(ms: number, run: () => void): Disposable;
}

export const systemClock: Clock = { now: () => Date.now(), after };
