/**
 * The rule for characters that nobody sees: what can hide in a text, reorder it, or hold apart two that look alike. Whoever
 * shows texts of others, or takes names from them, has it from here.
 */

/**
 * Control and format characters (bidirectional, zero-width, tags), separators of lines and paragraphs, halves of
 * characters, and letters that are drawn as nothing, such as U+3164 and U+2800.
 */
const anyUnseen = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`;

const joining = String.raw`\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{M}`;
const tags = String.raw`[\u{e0020}-\u{e007e}]`;

/** What the world's scripts and emoji are written with: one character each, by what stands around it. */
const inPlace = [
  // An emoji of several: people with professions, families, a flag in colours.
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  // How an emoji, a Chinese character or a sign of mathematics is drawn; the keys of a telephone.
  String.raw`(?<=[\p{Extended_Pictographic}\p{Ideographic}\p{Sm}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180f]`,
  // The flags of England, Scotland and Wales.
  String.raw`(?<=\u{1f3f4}${tags}{0,6})${tags}(?=${tags}{0,6}\u{e007f})`,
  String.raw`(?<=\u{1f3f4}${tags}{2,7})\u{e007f}`,
  // Joiners between letters of scripts that join, such as Persian and Hindi.
  String.raw`(?<=[${joining}])[\u200c\u200d](?=[${joining}\p{L}])`,
  // Possible line ends in scripts that are written without blanks.
  String.raw`(?<=[\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}])\u200b`,
  // Signs around numbers, which are seen.
  String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`,
].join('|');

/** For `replaceAll`: each, wherever it stands. */
export const unseen = new RegExp(anyUnseen, 'gu');

/** For `replaceAll` and `search`: each that is not in place. Its source is a part of other expressions. */
export const hidden = new RegExp(String.raw`(?=${anyUnseen})(?!${inPlace})[^]`, 'gu');
