/** Finds characters in a server's texts that a model reads and a person does not see. Pure. */
import { hidden } from './unseen.ts';

/** Normal in prose, and unable to carry a message: line ends, tabs, soft hyphens. */
const plain = String.raw`[\n\r\t\u2028\u2029\u00ad]`;
const offending = new RegExp(`(?!${plain})(?:${hidden.source})`, 'u');

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const directionMarks = /[\u061c\u200e\u200f]/gu;

/** @returns the first hidden character as `U+202E`; undefined if there is none */
export function hiddenCharacter(text: string): string | undefined {
  const rest = rightToLeft.test(text) ? text.replaceAll(directionMarks, '') : text;
  const code = offending.exec(rest)?.[0].codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
