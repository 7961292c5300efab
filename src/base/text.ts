/** Texts that are cut. Lengths are UTF-16 units, as those of strings; no character is cut in two. */

/** The beginning of a text, at most so many units of it. */
export function beginningOf(text: string, maxLength: number): string {
  const start = text.slice(0, Math.max(0, maxLength));
  return start.length < text.length && /[\uD800-\uDBFF]$/u.test(start) ? start.slice(0, -1) : start;
}

/** The text, or its beginning and an ellipsis, at most so many units together. */
export function truncated(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${beginningOf(text, maxLength - 1)}…`;
}
