/**
 * What is under way, by id. Its ids are mostly numbers in a row, and soon gone: they have a place each
 * in an array. A Map alone would do, but it is rebuilt again and again for so many additions and
 * deletions, and each table before keeps all it ever held from an early garbage collection.
 */
import type { RequestId } from '../types/message.ts';

/** A power of two: the numbers of a row take each place once before any is taken twice. */
const places = 128;

export class RequestTable<T extends { readonly id: RequestId }> {
  readonly #recent: (T | undefined)[] = [];
  /** Those with other ids, and those whose place a later one needed. */
  readonly #others = new Map<unknown, T>();

  /** The id must not be in it. */
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

  /** Takes it out. */
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

  /** Those that are there now. */
  all(): readonly T[] {
    return [...this.#others.values(), ...this.#recent.filter((item) => item !== undefined)];
  }
}

/** Undefined for what is no number of a row. */
function placeOf(id: unknown): number | undefined {
  return Number.isInteger(id) ? Number(id) & (places - 1) : undefined;
}
