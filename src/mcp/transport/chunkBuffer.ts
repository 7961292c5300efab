/**
 * Collects bytes that arrive in pieces and are needed as a whole. Copies them at most once before that.
 * Memory grows with the bytes, even if a server sends them one by one.
 */

import type { HeldMemory, MemoryAccount } from '../../base/memory.ts';

/** Limit of pieces kept as they came. A Buffer object for each byte would be a hundred times as large as the byte. */
const maxLoose = 1_024;
/** Smaller amounts are not counted. */
const uncountedBytes = 64 * 1024;

export class ChunkBuffer {
  #joined: Buffer[] = [];
  #loose: Buffer[] = [];
  #length = 0;
  readonly #memory: MemoryAccount | undefined;
  #held: HeldMemory | undefined;

  /** @param memory the server's memory account, if the bytes count towards one */
  constructor(memory?: MemoryAccount) {
    this.#memory = memory;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Keeps the piece without a copy: the caller must not change it later.
   * @returns false if there is no memory for it: the caller must {@link clear}
   */
  add(piece: Buffer): boolean {
    this.#length += piece.length;
    this.#loose.push(piece);
    if (this.#loose.length === maxLoose) {
      this.#joined.push(Buffer.concat(this.#loose));
      this.#loose = [];
    }
    if (this.#memory === undefined || this.#length <= uncountedBytes) {
      return true;
    }
    this.#held ??= this.#memory.hold();
    return this.#held.set(this.#length);
  }

  /** In order. */
  all(): readonly Buffer[] {
    return this.#joined.length === 0 ? this.#loose : [...this.#joined, ...this.#loose];
  }

  /** Returns all bytes as one buffer, and empties this one. */
  take(): Buffer {
    const all = this.all();
    const [first] = all;
    const whole =
      all.length === 1 && first !== undefined ? first : Buffer.concat(all, this.#length);
    this.clear();
    return whole;
  }

  clear(): void {
    this.#joined = [];
    this.#loose = [];
    this.#length = 0;
    this.#held?.set(0);
  }
}
