/** Waiting: delays, deadlines, linked signals, one-at-a-time queues and coalesced runs. */
import { type Disposable, toDisposable } from './disposable.ts';
import { onUnexpectedError } from './event.ts';

/** The longest delay of a timer, some 24 days; a timer fires at once for a longer one. */
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

/** Like {@link after}, but does not keep the process alive. */
export function afterInBackground(ms: number, run: () => void): Disposable {
  const timer = startTimer(ms, run);
  timer?.unref();
  return toDisposable(() => clearTimeout(timer));
}

function startTimer(ms: number, run: () => void): ReturnType<typeof setTimeout> | undefined {
  return ms > longestDelayMs ? undefined : setTimeout(run, ms);
}

/** Calls `run` once when the signal aborts; at once if it has aborted. Dispose it to stop listening. */
export function onAbort(signal: AbortSignal, run: () => void): Disposable {
  if (signal.aborted) {
    run();
  } else {
    signal.addEventListener('abort', run);
  }
  return toDisposable(() => signal.removeEventListener('abort', run));
}

/** Waits for `promise` until the signal aborts; the promise goes on, but its outcome is dropped. */
export function raceSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abortion = onAbort(signal, () => reject(toError(signal.reason)));
    // Also if aborted already: a later rejection of the promise must find a handler.
    void promise.then(resolve, reject).finally(() => abortion.dispose());
  });
}

/** Waits for `promise`, but no longer than `ms` milliseconds. Returns whether it settled in time; never rejects. */
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

/** One run at a time. Of the calls that wait meanwhile only the newest runs; the others resolve to undefined. */
export function newestOnly<T>(run: () => Promise<T>): () => Promise<T | undefined> {
  let newest = 0;
  let running: Promise<unknown> = Promise.resolve();
  return async () => {
    const own = (newest += 1);
    await running.catch(() => undefined);
    if (own !== newest) {
      return undefined;
    }
    const ran = run();
    running = ran;
    return ran;
  };
}

/** A controller that also aborts when `parent` does. Dispose it to stop listening to the parent. */
export function linkedController(
  parent: AbortSignal,
): { readonly controller: AbortController } & Disposable {
  const controller = new AbortController();
  const link = onAbort(parent, () => controller.abort(parent.reason));
  return { controller, dispose: () => link.dispose() };
}

/** Runs tasks one after the other, in order of arrival; after a failed task the next one runs. */
export class Sequencer {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/**
 * Runs a task some time after a request: after `quietMs` without another request, at the latest after
 * `maxMs`. A request during the task leads to exactly one more run.
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

  /** Resolves when nothing runs and nothing is requested. Never rejects. */
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
