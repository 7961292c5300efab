/** Makes hidden characters visible in a text that a person is asked to consent to. */
import { unseen } from './unseen.ts';

/** Invisible characters, in place or not; private-use characters, and spaces other than the ordinary one. */
const odd = new RegExp(String.raw`${unseen.source}|\p{Co}|(?! )\p{Zs}`, 'gu');

/** This many spaces in a row push what follows out of sight. */
const longGap = / {4,}/gu;

/** The text on one line, with hidden characters spelled as `\u{…}`. Nothing is cut. */
export function visible(text: string): string {
  return text
    .replaceAll(odd, spelled)
    .replaceAll(longGap, (gap) => spelled(' ').repeat(gap.length));
}

/** {@link visible}, in quotes if the ends of the text would otherwise be unclear. */
export function visibleWhole(text: string): string {
  const shown = visible(text);
  return shown === '' || shown.startsWith(' ') || shown.endsWith(' ') ? `"${shown}"` : shown;
}

/** Whether the whole text is invisible. */
export function isUnseen(text: string): boolean {
  return text.replaceAll(odd, '').trim() === '';
}

function spelled(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
