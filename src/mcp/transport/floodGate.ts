/**
 * Lets a bounded number of lines through per second. The rest is counted, and the last of them
 * follow with the next line that passes or at the end.
 */

/** Lines that pass in one window of {@link windowMs}, where nothing else is said. */
const maxLinesPerWindow = 500;
const windowMs = 1_000;
/** Of the lines left out of a window, the last ones are kept: they tell why a process ended. */
const keptTailLines = 20;

export interface FloodLimit {
  /** Lines that pass in a second. */
  readonly maxLines?: number | undefined;
  readonly hint?: string | undefined;
}

export class FloodGate {
  readonly #emit: (line: string) => void;
  readonly #now: () => number;
  readonly #maxLines: number;
  readonly #hint: string;
  #windowStart = Number.NEGATIVE_INFINITY;
  #passed = 0;
  #heldBack = 0;
  #tail: string[] = [];

  /** @param limit.hint what whoever set the number has to say of changing it: "which … raises" */
  constructor(
    emit: (line: string) => void,
    now: () => number = () => performance.now(),
    { maxLines = maxLinesPerWindow, hint }: FloodLimit = {},
  ) {
    this.#emit = emit;
    this.#now = now;
    this.#maxLines = maxLines;
    this.#hint = hint === undefined ? '' : `, ${hint}`;
  }

  write(line: string): void {
    const now = this.#now();
    if (now - this.#windowStart >= windowMs) {
      this.end();
      this.#windowStart = now;
      this.#passed = 0;
    }
    if (this.#passed < this.#maxLines) {
      this.#passed += 1;
      this.#emit(line);
      return;
    }
    this.#heldBack += 1;
    this.#tail.push(line);
    if (this.#tail.length > keptTailLines * 2) {
      this.#tail = this.#tail.slice(-keptTailLines);
    }
  }

  /** Emits what was held back: a note with the number of lines left out, then the last ones. */
  end(): void {
    const tail = this.#tail.slice(-keptTailLines);
    const dropped = this.#heldBack - tail.length;
    this.#tail = [];
    this.#heldBack = 0;
    if (dropped > 0) {
      this.#emit(
        `(${dropped} lines left out: more than ${this.#maxLines} in a second${this.#hint})`,
      );
    }
    for (const line of tail) {
      this.#emit(line);
    }
  }
}
