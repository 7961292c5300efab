/** Splits a command line that a person typed into a command and its arguments. Runs nothing. */

/**
 * Blanks outside of quotes separate words. A backslash escapes a quote, a backslash or a blank; before any other
 * character it is kept, so that Windows paths survive.
 * @returns the words, or undefined when a quote is not closed.
 */
export function splitCommandLine(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const match of line.matchAll(piece)) {
    const [text, doubleQuoted, singleQuoted, blank] = match;
    end += text.length;
    if (blank === undefined) {
      word = (word ?? '') + (singleQuoted ?? unescape(doubleQuoted ?? text));
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (end < line.length) {
    return undefined; // what no piece fits is a quote that is not closed
  }
  return word === undefined ? words : [...words, word];
}

/**
 * Double-quoted text (also `C:\dir\`), single-quoted text, blanks, or a character outside of quotes; each match begins
 * where the last one ended.
 */
const piece = /"((?:[^"\\]|\\["'\\ ]|\\(?!["'\\ ]))*\\?)"|'([^']*)'|(\s+)|\\["'\\ ]|[^\s"']/guy;

function unescape(text: string): string {
  return text.replaceAll(/\\(["'\\ ])/gu, '$1');
}
