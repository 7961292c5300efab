/**
 * The sessions that follow each other on one channel. Several requests notice the loss of one, each at its own time:
 * the next one is opened once for all of them.
 */
export class Reopening {
  readonly #open: () => Promise<void>;
  #generation = 0;
  #current: Promise<void> | undefined;

  /** @param open opens the next session */
  constructor(open: () => Promise<void>) {
    this.#open = open;
  }

  /** Counts the sessions: a loss that belongs to an earlier one is no loss. */
  get generation(): number {
    return this.#generation;
  }

  /** Settles with what is being opened; undefined while there is a session. */
  get current(): Promise<void> | undefined {
    return this.#current;
  }

  /** One at a time; further losses join it. */
  begin(): Promise<void> {
    if (this.#current === undefined) {
      this.#generation += 1;
      this.#current = this.#open().finally(() => {
        this.#current = undefined;
      });
    }
    return this.#current;
  }

  /** The session that replaces the one of `generation`; at once, if that has happened. */
  replacing(generation: number): Promise<void> {
    return generation === this.#generation ? this.begin() : (this.#current ?? Promise.resolve());
  }
}
