/** Waiting: delays, deadlines, linked signals, one-at-a-time queues and coalesced runs. The only file with timers. */
import { type Disposable, toDisposable } from './disposable.ts';
import { onUnexpectedError } from './event.ts';

/** The longest delay that a timer takes, some 24 days; it fires at once for a longer one. */
const longestDelayMs = 2 ** 31 - 1;

/** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = after(ms, () => {
      abortion?.dispose();
      resolve();
    });
    const abortion =
      signal &&
      onAbort(signal, () => {
        timer.dispose();
        reject(toError(signal.reason));
      });
  });
}

/** Calls `run` once after `ms` milliseconds unless disposed before; never for more than 24 days. */
export function after(ms: number, run: () => void): Disposable {
  const timer = startTimer(ms, run);
  return toDisposable(() => clearTimeout(timer));
}

/** Like {@link after}, for what keeps no process from ending. */
export function afterInBackground(ms: number, run: () => void): Disposable {
  const timer = startTimer(ms, run);
  timer?.unref();
  return toDisposable(() => clearTimeout(timer));
}

function startTimer(ms: number, run: () => void): ReturnType<typeof setTimeout> | undefined {
  return ms > longestDelayMs ? undefined : setTimeout(run, ms);
}

/** What {@link onAbort} needs of an AbortSignal. */
export interface Abortable {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Calls `run` once when the signal aborts: at once if it has. Dispose it to let go of the signal. */
export function onAbort(signal: Abortable, run: () => void): Disposable {
  if (signal.aborted) {
    run();
  } else {
    signal.addEventListener('abort', run);
  }
  return toDisposable(() => signal.removeEventListener('abort', run));
}

/** Waits for `promise` until the signal aborts; the promise itself goes on and its outcome is dropped. */
export function raceSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abortion = onAbort(signal, () => reject(toError(signal.reason)));
    // Also when aborted already: a later rejection of the promise must find a handler.
    void promise.then(resolve, reject).finally(() => abortion.dispose());
  });
}

/** Waits for `promise`, but no longer than `ms` milliseconds. Says whether it settled in time; never rejects. */
export function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const limit = after(ms, () => resolve(false));
    const onSettled = (): void => {
      limit.dispose();
      resolve(true);
    };
    promise.then(onSettled, onSettled);
  });
}

/** A controller that also aborts when `parent` does. Dispose it to let go of the parent. */
export function linkedController(
  parent: AbortSignal,
): { readonly controller: AbortController } & Disposable {
  const controller = new AbortController();
  const link = onAbort(parent, () => controller.abort(parent.reason));
  return { controller, dispose: () => link.dispose() };
}

/** Runs tasks one after the other, in order of arrival; a task that fails lets the next one run. */
export class Sequencer {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/**
 * Runs a task some time after it was asked for: after `quietMs` without another request, at the
 * latest after `maxMs`. A request that comes while the task runs leads to exactly one more run.
 */
export class CoalescedRun implements Disposable {
  readonly #task: () => Promise<void>;
  readonly #quietMs: number;
  readonly #maxMs: number;
  #timer: Disposable | undefined;
  #firstAskedAt: number | undefined;
  #isRunning = false;
  #isDisposed = false;
  #onIdle: (() => void)[] = [];

  constructor(
    task: () => Promise<void>,
    times: { readonly quietMs: number; readonly maxMs: number },
  ) {
    this.#task = task;
    this.#quietMs = times.quietMs;
    this.#maxMs = times.maxMs;
  }

  request(): void {
    if (this.#isDisposed) {
      return;
    }
    const now = Date.now();
    this.#firstAskedAt ??= now;
    if (this.#isRunning) {
      return; // noted in #firstAskedAt; the end of the run asks again
    }
    this.#timer?.dispose();
    const waitMs = Math.max(0, Math.min(this.#quietMs, this.#firstAskedAt + this.#maxMs - now));
    this.#timer = after(waitMs, () => void this.#run().catch(onUnexpectedError));
  }

  /** Resolves when nothing runs and nothing is asked for any more. Never rejects. */
  async whenIdle(): Promise<void> {
    if (!this.#isDisposed && (this.#isRunning || this.#firstAskedAt !== undefined)) {
      await new Promise<void>((resolve) => this.#onIdle.push(resolve));
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#tellIdle();
  }

  #tellIdle(): void {
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) {
      resolve();
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#firstAskedAt = undefined;
    try {
      await this.#task();
    } finally {
      this.#isRunning = false;
      if (this.#firstAskedAt === undefined) {
        this.#tellIdle();
      } else {
        this.request();
      }
    }
  }
}

/** An Error as it is; anything else wrapped in one. */
export function toError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value));
}
