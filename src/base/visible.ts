/** Makes visible what a text could hide from the eye of whoever is asked to consent to it. */
import { unseen } from './unseen.ts';

/** What nobody sees, in place or not; private-use characters, and blanks other than the ordinary one. */
const odd = new RegExp(String.raw`${unseen.source}|\p{Co}|(?! )\p{Zs}`, 'gu');

/** So many blanks in a row push what follows out of sight. */
const longGap = / {4,}/gu;

/** The text on one line, with hidden characters spelled as `\u{…}`. Nothing is cut. */
export function visible(text: string): string {
  return text
    .replaceAll(odd, spelled)
    .replaceAll(longGap, (gap) => spelled(' ').repeat(gap.length));
}

/** {@link visible}, in quotes where the ends of the text could not be seen otherwise. */
export function visibleWhole(text: string): string {
  const shown = visible(text);
  return shown === '' || shown.startsWith(' ') || shown.endsWith(' ') ? `"${shown}"` : shown;
}

/** Whether the eye would see nothing of the text. */
export function isUnseen(text: string): boolean {
  return text.replaceAll(odd, '').trim() === '';
}

function spelled(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
