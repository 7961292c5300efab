/** Cuts texts, to a length or at their ends. Lengths are in UTF-16 units, as in strings. */

/** Marks a cut text. The text before it may end in half of a secret: log.ts checks that. */
export const ellipsis = '…';

/** The beginning of a text, at most `maxLength` units; never cuts a character in two. */
export function beginningOf(text: string, maxLength: number): string {
  const start = text.slice(0, Math.max(0, maxLength));
  return start.length < text.length && /[\uD800-\uDBFF]$/u.test(start) ? start.slice(0, -1) : start;
}

/**
 * The text, or its beginning and an ellipsis, at most `maxLength` units together. Use it for every quote of
 * untrusted text: without the ellipsis, redaction could not find the cut part of a secret.
 */
export function truncated(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${beginningOf(text, maxLength - 1)}${ellipsis}`;
}

/**
 * The text without trailing units that are in `edges`. A regular expression, `/-+$/`, would try every run
 * again from each of its positions, which takes minutes for a text of nothing else.
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

/** Length of the longest run of a unit. */
export function longestRun(text: string, unit: string): number {
  let longest = 0;
  let run = 0;
  for (let at = text.indexOf(unit); at >= 0; at = text.indexOf(unit, at + 1)) {
    run = at > 0 && text.charAt(at - 1) === unit ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  return longest;
}
