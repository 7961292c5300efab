/**
 * Waits for the end of a task by polling its state. A state that the server sends unsolicited shortens the
 * wait but is never relied on. The caller decides what a state means.
 */
import { delay, linkedController, toError } from '../../../base/async.ts';
import type { Event } from '../../../base/event.ts';
import { type McpError, isMcpError, isRpcError, rpcCodes } from '../../errors.ts';
import { type TaskState, isTerminal } from './task.ts';

/**
 * Milliseconds between two polls. The server's wish is kept within `least` and `most`: shorter would flood
 * the server, and longer would make a slow task look like a lost one. Without a wish the wait grows from
 * `unasked` by half each time.
 */
export const pollLimits = {
  first: 250,
  least: 250,
  most: 60_000,
  unasked: 2_000,
  unaskedMost: 30_000,
};
/** Failures in a row that are tolerated at least, however short `patienceMs` is. */
const leastFailures = 3;

export interface Observation<S extends TaskState> {
  readonly seed: S;
  /** Polls the state once. */
  readonly ask: () => Promise<S>;
  /** Unsolicited states of this task. */
  readonly onDidPush: Event<S>;
  /** Called with each state, including the seed and the last one. */
  readonly onState: (state: S) => void;
  readonly signal: AbortSignal;
  /** How long polling may fail, in milliseconds. */
  readonly patienceMs: number;
}

/** @returns the final state of the task. @throws the signal's reason; an error of `ask` that is not temporary */
export async function observeTask<S extends TaskState>(observation: Observation<S>): Promise<S> {
  const { seed, ask, onState, signal } = observation;
  const pushed = new Pushed(observation.onDidPush, signal);
  const patience = new Patience(observation.patienceMs);
  let wait: Wait = { ms: pollLimits.first, unaskedMs: pollLimits.unasked };
  let state = seed;
  try {
    for (;;) {
      onState(state);
      if (isTerminal(state)) {
        return state;
      }
      const heard = await pushed.next(wait.ms);
      const next = heard ?? (await patience.try(ask, signal));
      state = next ?? state;
      wait = nextWait(state, wait.unaskedMs);
    }
  } finally {
    pushed.dispose();
  }
}

interface Wait {
  readonly ms: number;
  /** The next wait if the server has no wish. */
  readonly unaskedMs: number;
}

function nextWait({ pollMs }: TaskState, unaskedMs: number): Wait {
  return pollMs === undefined
    ? { ms: unaskedMs, unaskedMs: Math.min(unaskedMs * 1.5, pollLimits.unaskedMost) }
    : { ms: Math.min(Math.max(pollMs, pollLimits.least), pollLimits.most), unaskedMs };
}

/** Keeps the latest unsolicited state, and wakes the caller that waits for the next poll. */
class Pushed<S extends TaskState> {
  readonly #signal: AbortSignal;
  readonly #subscription: { dispose(): void };
  #latest: S | undefined;
  #wake: (() => void) | undefined;

  constructor(event: Event<S>, signal: AbortSignal) {
    this.#signal = signal;
    this.#subscription = event((state) => {
      this.#latest = state;
      this.#wake?.();
    });
  }

  /** Resolves to a state, or to undefined after `ms` milliseconds. @throws the signal's reason */
  async next(ms: number): Promise<S | undefined> {
    const nap = linkedController(this.#signal);
    this.#wake = () => nap.controller.abort();
    try {
      if (this.#latest === undefined) {
        await delay(ms, nap.controller.signal).catch(() => undefined); // a state came, or the signal aborted
      }
    } finally {
      this.#wake = undefined;
      nap.dispose();
    }
    this.#signal.throwIfAborted();
    const latest = this.#latest;
    this.#latest = undefined;
    return latest;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

/** Tolerates temporary failures, unless too many follow each other for too long. */
class Patience {
  readonly #patienceMs: number;
  #failures = 0;
  #lastAnswerAt = performance.now();

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  async try<S>(ask: () => Promise<S>, signal: AbortSignal): Promise<S | undefined> {
    try {
      const answer = await ask();
      this.#failures = 0;
      this.#lastAnswerAt = performance.now();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      this.#failures++;
      const isLate = performance.now() - this.#lastAnswerAt >= this.#patienceMs;
      if (!mayPass(error) || (isLate && this.#failures >= leastFailures)) {
        throw toError(error);
      }
      return undefined;
    }
  }
}

/** Whether a failure is temporary: the task goes on while a broken connection prevents polling. */
export function mayPass(error: unknown): error is McpError {
  if (isRpcError(error)) {
    return error.rpcCode !== rpcCodes.invalidParams && error.rpcCode !== rpcCodes.methodNotFound;
  }
  const passing = ['timeout', 'closed', 'unreachable', 'http', 'sessionExpired'];
  return isMcpError(error) && passing.includes(error.code);
}
