/**
 * The rule for characters that nobody sees, or that show others in another order: what a model reads
 * and a person does not. Left alone is what the world's scripts and emoji are written with. Pure.
 */

/** Isolates, embeddings and overrides: they reorder whole stretches, and prose in any script does without. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/u;

/**
 * Zero-width and other invisible characters, the tags and runs of variation selectors that can carry a
 * whole text, and letters that are drawn as nothing. Marks of direction are among them.
 */
const invisible =
  /[\u061c\u115f\u1160\u180e\u200b-\u200f\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}/u;

/** Where one of these is in place: each is taken out before the rest is looked at. */
const inPlace: readonly RegExp[] = [
  // An emoji of several: people with professions, families, a flag in colours.
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu,
  // The flags of England, Scotland and Wales.
  /(?<=\u{1f3f4})[\u{e0020}-\u{e007e}]{2,7}\u{e007f}/gu,
  // Joiners between letters of scripts that join, such as Persian and Hindi.
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{M}])[\u200c\u200d](?=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{L}\p{M}])/gu,
  // Possible line ends in scripts that are written without blanks.
  /(?<=[\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}])\u200b/gu,
];

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const directionMarks = /[\u061c\u200e\u200f]/gu;

/** @returns the first offender as `U+202E`, undefined when there is none */
export function hiddenCharacter(text: string): string | undefined {
  const settled = inPlace.reduce((rest, rule) => rest.replaceAll(rule, ''), text);
  const rest = rightToLeft.test(settled) ? settled.replaceAll(directionMarks, '') : settled;
  const found = reordering.exec(rest)?.[0] ?? invisible.exec(rest)?.[0];
  const code = found?.codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
