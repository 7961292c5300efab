/** The progress of a task for its caller: the server's progress notifications, and the status messages of the task. */
import type { Progress } from '../../rpc/peer.ts';

export class TaskProgress {
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  #last: Progress = { progress: 0 };
  #text: string | undefined;
  /** The last reported progress. */
  current: Progress | undefined;

  constructor(onProgress: ((progress: Progress) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  report(progress: Progress): void {
    this.#last = progress;
    this.#tell(progress);
  }

  /** Reports a new status message, with the last reported value. */
  say(text: string | undefined): void {
    if (text !== undefined && text !== this.#text) {
      this.#text = text;
      this.#tell({ ...this.#last, message: text });
    }
  }

  #tell(progress: Progress): void {
    this.current = progress;
    this.#onProgress?.(progress);
  }
}
