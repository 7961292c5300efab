/**
 * `tasks/result`, asked for before the task is over so that the server has a stream for its questions
 * (TASK-07). A server that does not block it refuses: that is no outcome of the task.
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

  /** @param fetch sends the request; ended by its own signal */
  constructor(fetch: () => Promise<unknown>) {
    this.#fetch = fetch;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** One attempt at a time. */
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

  /** The outcome, if it is there or comes of the attempt under way within `ms` milliseconds. */
  async within(ms: number): Promise<Outcome | undefined> {
    if (this.#attempt !== undefined) {
      await settlesWithin(this.#attempt, ms);
    }
    return Promise.race([this.outcome, Promise.resolve(undefined)]);
  }
}
