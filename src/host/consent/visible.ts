/** Makes visible what a text could hide from the eye of whoever is asked to consent to it. */

/**
 * Control, format (bidirectional, zero-width), separator, private-use and lone-surrogate characters,
 * blanks other than the ordinary one, and letters that are drawn as nothing, such as U+3164 and U+2800.
 */
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** So many blanks in a row push what follows out of sight. */
const longGap = / {4,}/gu;

/** The text on one line, with hidden characters spelled as `\u{…}`. Nothing is cut. */
export function visible(text: string): string {
  return text
    .replaceAll(hidden, spelled)
    .replaceAll(longGap, (gap) => spelled(' ').repeat(gap.length));
}

/** {@link visible}, in quotes where the ends of the text could not be seen otherwise. */
export function visibleWhole(text: string): string {
  const shown = visible(text);
  return shown === '' || shown.startsWith(' ') || shown.endsWith(' ') ? `"${shown}"` : shown;
}

/** Whether the eye would see nothing of the text. */
export function isUnseen(text: string): boolean {
  return text.replaceAll(hidden, '').trim() === '';
}

function spelled(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
