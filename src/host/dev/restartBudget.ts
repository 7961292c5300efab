/**
 * How often changed files may restart a server: one that writes watched files when it starts would restart for ever.
 * Restarts after a crash have rules of their own (servers/connectionState.ts).
 */
export const restartBudget = { max: 10, periodMs: 60_000 } as const;

export class RestartBudget {
  #times: readonly number[] = [];

  /** @param now milliseconds. False: too many in the last minute; this one is then not counted. */
  take(now: number): boolean {
    this.#times = this.#times.filter((time) => now - time < restartBudget.periodMs);
    if (this.#times.length >= restartBudget.max) {
      return false;
    }
    this.#times = [...this.#times, now];
    return true;
  }
}
