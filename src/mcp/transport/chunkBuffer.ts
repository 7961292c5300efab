/**
 * Bytes that come in pieces and are wanted whole. What has come is copied once at most before that; memory grows with
 * the bytes, also where a server sends them one by one.
 */

import type { HeldMemory, MemoryAccount } from '../../base/memory.ts';

/** ChunkBuffer that are kept as they came. An object for each would be a hundred times as large as a byte. */
const maxLoose = 1_024;
/** Fewer are not worth counting. */
const uncountedBytes = 64 * 1024;

export class ChunkBuffer {
  #joined: Buffer[] = [];
  #loose: Buffer[] = [];
  #length = 0;
  readonly #memory: MemoryAccount | undefined;
  #held: HeldMemory | undefined;

  /** @param memory to which they add, where they are of a server */
  constructor(memory?: MemoryAccount) {
    this.#memory = memory;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Kept without a copy: the caller must not change it later.
   * @returns false where there is no memory for it: the caller is to {@link clear}
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

  /** All of them as one; there are none after it. */
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
