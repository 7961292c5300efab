/**
 * The one rule for invisible characters: those that hide in a text, reorder it, or make two equal-looking
 * texts differ. Code that shows untrusted texts, or takes names from them, uses it.
 */

/**
 * Control and format characters (bidirectional, zero-width, tags), line and paragraph separators, unpaired
 * surrogates, and letters that are drawn as nothing, such as U+3164 and U+2800.
 */
const anyUnseen = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`;

const joining = String.raw`\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{M}`;
const tags = String.raw`[\u{e0020}-\u{e007e}]`;

/** What scripts and emoji legitimately use: one character each, depending on its context. */
const inPlace = [
  // An emoji made of several: people with professions, families, a coloured flag.
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  // Selects how an emoji, a Chinese character or a mathematical sign is drawn; also keycaps.
  String.raw`(?<=[\p{Extended_Pictographic}\p{Ideographic}\p{Sm}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180f]`,
  // The flags of England, Scotland and Wales.
  String.raw`(?<=\u{1f3f4}${tags}{0,6})${tags}(?=${tags}{0,6}\u{e007f})`,
  String.raw`(?<=\u{1f3f4}${tags}{2,7})\u{e007f}`,
  // Joiners between letters of scripts that join, such as Persian and Hindi.
  String.raw`(?<=[${joining}])[\u200c\u200d](?=[${joining}\p{L}])`,
  // Possible line breaks in scripts that are written without spaces.
  String.raw`(?<=[\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}])\u200b`,
  // Signs around numbers, which are visible.
  String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`,
].join('|');

/** For `replaceAll`: every invisible character, in any context. */
export const unseen = new RegExp(anyUnseen, 'gu');

/** For `replaceAll` and `search`: every invisible character out of place. Its source is part of other expressions. */
export const hidden = new RegExp(String.raw`(?=${anyUnseen})(?!${inPlace})[^]`, 'gu');

/** Normal in prose, and unable to carry a message: line ends, tabs, soft hyphens. */
const plain = String.raw`[\n\r\t\u2028\u2029\u00ad]`;
const offending = new RegExp(`(?!${plain})(?:${hidden.source})`, 'u');

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const directionMarks = /[\u061c\u200e\u200f]/gu;

/**
 * Finds characters in a server's texts that a model reads and a person does not see.
 * @returns the first hidden character as `U+202E`; undefined if there is none
 */
export function hiddenCharacter(text: string): string | undefined {
  const rest = rightToLeft.test(text) ? text.replaceAll(directionMarks, '') : text;
  const code = offending.exec(rest)?.[0].codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
