/**
 * Sends `tasks/result` before the task is over, so that the server has a stream for its requests (TASK-07).
 * A server that does not block the request refuses it; that is not an outcome of the task.
 */
import { settlesWithin } from '../../../base/async.ts';

export interface Outcome {
  readonly result: unknown;
}

export class EarlyResult {
  readonly #fetch: () => Promise<unknown>;
  #resolve: ((outcome: Outcome) => void) | undefined;
  #attempt: Promise<void> | undefined;
  /** Resolves when an attempt succeeds. Never rejects. */
  readonly outcome: Promise<Outcome>;

  /** @param fetch sends the request; has a signal of its own */
  constructor(fetch: () => Promise<unknown>) {
    this.#fetch = fetch;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Makes one attempt at a time. */
  open(): void {
    this.#attempt ??= this.#fetch()
      .then(
        (result) => this.#resolve?.({ result }),
        () => undefined,
      )
      .finally(() => {
        this.#attempt = undefined;
      });
  }

  /** The outcome, if it is known or the attempt under way brings it within `ms` milliseconds. */
  async within(ms: number): Promise<Outcome | undefined> {
    if (this.#attempt !== undefined) {
      await settlesWithin(this.#attempt, ms);
    }
    return Promise.race([this.outcome, Promise.resolve(undefined)]);
  }
}
