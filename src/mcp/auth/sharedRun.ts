/** One run that several callers wait for at the same time. */
import { raceSignal } from '../../base/async.ts';

interface Run<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

export class SharedRun<T> {
  #current: Run<T> | undefined;

  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Joins the current run, or starts one. The run is cancelled when nobody waits any more; a later caller
   * starts a new one after the old one has ended.
   * @throws the error of the run; the reason of `signal`
   */
  async join(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const current = this.#current ?? this.#begin(run);
    if (current.controller.signal.aborted) {
      const ended = current.result.then(nothing, nothing);
      await raceSignal(ended, signal);
      return this.join(run, signal);
    }
    current.waiting += 1;
    try {
      return await raceSignal(current.result, signal);
    } finally {
      current.waiting -= 1;
      if (current.waiting === 0 && signal.aborted) {
        current.controller.abort(signal.reason);
      }
    }
  }

  #begin(run: (signal: AbortSignal) => Promise<T>): Run<T> {
    const controller = new AbortController();
    const result = run(controller.signal).finally(() => {
      this.#current = undefined;
    });
    result.catch(nothing); // the waiting callers get the error
    this.#current = { result, controller, waiting: 0 };
    return this.#current;
  }
}

function nothing(): void {
  // Only the end of the run matters.
}
