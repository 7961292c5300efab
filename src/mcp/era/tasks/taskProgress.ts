/** Progress of a task as its caller sees it: what the server reports of it, and what its state says. */
import type { Progress } from '../../rpc/peer.ts';

export class TaskProgress {
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  #last: Progress = { progress: 0 };
  #text: string | undefined;
  /** What was told last. */
  current: Progress | undefined;

  constructor(onProgress: ((progress: Progress) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  report(progress: Progress): void {
    this.#last = progress;
    this.#tell(progress);
  }

  /** A status message that is new, beside the value that was reported last. */
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
