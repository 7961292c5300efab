/**
 * Lets a limited number of lines through per second and counts the rest. The last of the others follow with
 * the next line that passes, or at the end.
 */

/** Default number of lines that pass in one window of {@link windowMs}. */
const maxLinesPerWindow = 500;
const windowMs = 1_000;
/** Number of last lines kept from those left out of a window: they tell why a process ended. */
const keptTailLines = 20;

export interface FloodLimit {
  /** Lines that pass per second. */
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

  /** @param limit.hint how to change the number: "which … raises" */
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

  /** Emits what was held back: a note with the number of omitted lines, then the last ones. */
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
