/** Filters the items of a list by a text. Pure. */

interface Searched {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly uri?: string;
  readonly uriTemplate?: string;
}

/** Characters of a description that are searched: nobody searches for a word pages below. */
const searchedLength = 1_000;

/**
 * The items that have every word of `text` in their name, title, description or URI, in any case; all for a blank text.
 * Keeps the order.
 */
export function filterItems<T extends Searched>(items: readonly T[], text: string): readonly T[] {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) {
    return items;
  }
  return items.filter((item) => {
    const searched = searchedText(item);
    return words.every((word) => searched.includes(word));
  });
}

function searchedText(item: Searched): string {
  const { name, title = '', description = '', uri = '', uriTemplate = '' } = item;
  return [title, name, uri, uriTemplate, description.slice(0, searchedLength)]
    .join('\n')
    .toLowerCase();
}
