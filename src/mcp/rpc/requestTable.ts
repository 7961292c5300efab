/**
 * Items under way, by id. Ids are mostly consecutive numbers and short-lived, so each has a slot in an
 * array. A Map alone would be rebuilt again and again for so many additions and deletions, and each old
 * table would keep its former entries from an early garbage collection.
 */
import type { RequestId } from '../types/message.ts';

/** A power of two, so that consecutive ids use every slot once before any slot is used twice. */
const places = 128;

export class RequestTable<T extends { readonly id: RequestId }> {
  readonly #recent: (T | undefined)[] = [];
  /** Items with other ids, and items whose slot a later item needed. */
  readonly #others = new Map<unknown, T>();

  /** The id must not be in the table. */
  add(item: T): void {
    const place = placeOf(item.id);
    if (place === undefined) {
      this.#others.set(item.id, item);
      return;
    }
    const before = this.#recent[place];
    if (before !== undefined) {
      this.#others.set(before.id, before);
    }
    this.#recent[place] = item;
  }

  get(id: unknown): T | undefined {
    const place = placeOf(id);
    const recent = place === undefined ? undefined : this.#recent[place];
    return recent?.id === id ? recent : this.#others.get(id);
  }

  /** Removes and returns the item. */
  take(id: unknown): T | undefined {
    const place = placeOf(id);
    const recent = place === undefined ? undefined : this.#recent[place];
    if (place !== undefined && recent?.id === id) {
      this.#recent[place] = undefined;
      return recent;
    }
    const other = this.#others.get(id);
    if (other !== undefined) {
      this.#others.delete(id);
    }
    return other;
  }

  /** A copy of the current items. */
  all(): readonly T[] {
    return [...this.#others.values(), ...this.#recent.filter((item) => item !== undefined)];
  }
}

/** The slot of a numeric id; undefined for other ids. */
function placeOf(id: unknown): number | undefined {
  return Number.isInteger(id) ? Number(id) & (places - 1) : undefined;
}
