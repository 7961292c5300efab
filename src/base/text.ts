/** Texts that are cut, at a length or of what stands at their ends. Lengths are UTF-16 units, as those of strings. */

/** Says that a text was cut. What stands before it may be half of a secret: log.ts looks there. */
export const ellipsis = '…';

/** The beginning of a text, at most so many units of it; no character is cut in two. */
export function beginningOf(text: string, maxLength: number): string {
  const start = text.slice(0, Math.max(0, maxLength));
  return start.length < text.length && /[\uD800-\uDBFF]$/u.test(start) ? start.slice(0, -1) : start;
}

/**
 * The text, or its beginning and an ellipsis, at most so many units together. For whatever is quoted of others: without
 * the ellipsis nobody who takes out secrets could tell where a part of one stands.
 */
export function truncated(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${beginningOf(text, maxLength - 1)}${ellipsis}`;
}

/**
 * The text without those of its last units that are among `edges`. A regular expression, `/-+$/`, would
 * try every run of them anew from each of its places, which takes minutes for a text of nothing else.
 */
export function trimmedEnd(text: string, edges: string): string {
  let end = text.length;
  while (end > 0 && edges.includes(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(0, end);
}

/** The same at both ends. */
export function trimmedOf(text: string, edges: string): string {
  let start = 0;
  while (start < text.length && edges.includes(text.charAt(start))) {
    start += 1;
  }
  return trimmedEnd(text.slice(start), edges);
}

/** How long the longest run of a unit is. */
export function longestRun(text: string, unit: string): number {
  let longest = 0;
  let run = 0;
  for (let at = text.indexOf(unit); at >= 0; at = text.indexOf(unit, at + 1)) {
    run = at > 0 && text.charAt(at - 1) === unit ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  return longest;
}
