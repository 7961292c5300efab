/** One run of something that several callers wait for at the same time. */
import { raceSignal } from '../../base/async.ts';

interface Run<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
}

export class SharedRun<T> {
  #current: Run<T> | undefined;
  #waiting = 0;

  /**
   * Joins the run that is under way, or begins one. It is given up when nobody waits any more.
   * @throws what the run throws; the reason of `signal`
   */
  async join(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const current = (this.#current ??= this.#begin(run));
    this.#waiting += 1;
    try {
      return await raceSignal(current.result, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && signal.aborted) {
        current.controller.abort(signal.reason);
      }
    }
  }

  #begin(run: (signal: AbortSignal) => Promise<T>): Run<T> {
    const controller = new AbortController();
    const result = run(controller.signal).finally(() => {
      this.#current = undefined;
    });
    result.catch(() => undefined); // those who wait hear of it
    return { result, controller };
  }
}
