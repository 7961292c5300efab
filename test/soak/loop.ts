/** Something that is done again and again until it is told to pause. */
import { delay } from '../../src/base/async.ts';

export class Loop {
  readonly #pauseMs: number;
  readonly #step: (turn: number) => Promise<void>;
  #turn = 0;
  #isPaused = false;
  #running: Promise<void>;

  /** @param step must not reject; gets 0, 1, 2 … */
  constructor(pauseMs: number, step: (turn: number) => Promise<void>) {
    this.#pauseMs = pauseMs;
    this.#step = step;
    this.#running = this.#run();
  }

  /** Resolves when the step that is under way is over. */
  pause(): Promise<void> {
    this.#isPaused = true;
    return this.#running;
  }

  resume(): void {
    this.#isPaused = false;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isPaused) {
      await this.#step(this.#turn);
      this.#turn += 1;
      await delay(this.#pauseMs);
    }
  }
}
