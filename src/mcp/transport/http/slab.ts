/**
 * A slab: items under way, each in a slot of an array, which can be ended together. A Set would be rebuilt again and again for so many
 * additions and deletions, and each old table would keep its former entries from an early garbage
 * collection: for requests that costs a quarter of their time.
 */
export class Slab<T> {
  readonly #slots: (T | undefined)[] = [];
  readonly #free: number[] = [];

  /** @returns the slot for {@link release}. */
  add(item: T): number {
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = item;
    return slot;
  }

  /** Call once per item. */
  release(slot: number): void {
    this.#slots[slot] = undefined;
    this.#free.push(slot);
  }

  /** A copy of the current items. */
  all(): readonly T[] {
    return this.#slots.filter((item) => item !== undefined);
  }
}
