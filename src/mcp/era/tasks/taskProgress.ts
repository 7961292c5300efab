/** Progress of a task as its caller sees it: what the server reports of it, and what its state says. */
import type { Progress } from '../../rpc/peer.ts';

export class TaskProgress {
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  #last: Progress = { progress: 0 };
  #text: string | undefined;

  constructor(onProgress: ((progress: Progress) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  report(progress: Progress): void {
    this.#last = progress;
    this.#onProgress?.(progress);
  }

  /** A status message that is new, beside the value that was reported last. */
  say(text: string | undefined): void {
    if (text !== undefined && text !== this.#text) {
      this.#text = text;
      this.#onProgress?.({ ...this.#last, message: text });
    }
  }
}
