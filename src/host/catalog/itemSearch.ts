/** Finds items of lists by typed words. Pure. */
import { delay } from '../../base/async.ts';

/** The texts of an item that are searched. */
export interface Searchable {
  /** The visible name: a match here ranks higher than one elsewhere. */
  readonly label: string;
  /** Other searched text: the URI, the server. */
  readonly rest: string;
}

export interface Found<T> {
  /** Best first; items of the same rank in the given order. */
  readonly items: readonly T[];
  /** Number of all matches, including those left out. */
  readonly total: number;
}

/** Items between two pauses: some milliseconds. */
const sliceSize = 5_000;

/** Best first: label equals the text, begins with it, has a word that begins with it, contains it; the rest does. */
const ranks = 5;

/**
 * For pickers. 100,000 items are searched in slices, so that other work of the thread runs in between, and only the best
 * few are returned.
 */
export class ItemSearch<T extends Searchable> {
  readonly #items: readonly T[];
  /** Label and rest in lower case, made when they are first compared. */
  readonly #lower: (readonly [label: string, rest: string])[] = [];

  constructor(items: readonly T[]) {
    this.#items = items;
  }

  /**
   * Matches items with every typed word, in any order and case. An empty text matches all.
   * @throws the signal's reason when it aborts
   */
  async find(typed: string, limit: number, signal: AbortSignal): Promise<Found<T>> {
    const query = typed.trim().toLowerCase();
    const words = query.split(/\s+/u).filter((word) => word !== '');
    const found: T[][] = Array.from({ length: ranks }, () => []);
    let total = 0;
    for (const [index, item] of this.#items.entries()) {
      if (index > 0 && index % sliceSize === 0) {
        await delay(0, signal);
      }
      const rank = rankOf(this.#lowerOf(index, item), query, words);
      if (rank === undefined) {
        continue;
      }
      total += 1;
      const sameRank = found[rank];
      if (sameRank !== undefined && sameRank.length < limit) {
        sameRank.push(item);
      }
    }
    return { items: found.flat().slice(0, limit), total };
  }

  #lowerOf(index: number, item: T): readonly [string, string] {
    return (this.#lower[index] ??= [item.label.toLowerCase(), item.rest.toLowerCase()]);
  }
}

function rankOf(
  [label, rest]: readonly [string, string],
  query: string,
  words: readonly string[],
): number | undefined {
  if (!words.every((word) => label.includes(word) || rest.includes(word))) {
    return undefined;
  }
  if (label === query) {
    return 0;
  }
  const at = label.indexOf(query);
  if (at === 0) {
    return 1;
  }
  if (at > 0) {
    return /[\p{L}\p{N}]/u.test(label[at - 1] ?? '') ? 3 : 2;
  }
  return words.every((word) => label.includes(word)) ? 3 : 4;
}

interface Searched {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly uri?: string;
  readonly uriTemplate?: string;
}

/** Characters of a description that are searched: nobody searches for a word pages below. */
const searchedLength = 1_000;

/** The items that have every word of `text` in what is searched of them, in any case; all for a blank text. Keeps the order. */
export function filterWords<T>(
  items: readonly T[],
  text: string,
  searched: (item: T) => string,
): readonly T[] {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  return words.length === 0
    ? items
    : items.filter((item) => {
        const all = searched(item).toLowerCase();
        return words.every((word) => all.includes(word));
      });
}

/** By name, title, description or URI. */
export function filterItems<T extends Searched>(items: readonly T[], text: string): readonly T[] {
  return filterWords(items, text, ({ name, title, uri, uriTemplate, description }) =>
    [title, name, uri, uriTemplate, description?.slice(0, searchedLength)].join('\n'),
  );
}
