/** JSON with comments and commas at the ends of lists, as the editor's settings and files of other programs have it. */
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser';

export type ReadResult = { readonly value: unknown } | { readonly problem: string };

/**
 * @param isEmpty whether nothing, or comments alone, is a text, too: its value is undefined
 * @returns as `problem`, what completes a sentence that begins with the file
 */
export function readJsonWithComments(text: string, isEmpty: 'allowed' | 'wrong'): ReadResult {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text.replace(/^\uFEFF/u, ' '), errors, {
      allowTrailingComma: true,
      allowEmptyContent: isEmpty === 'allowed',
    });
  } catch {
    return { problem: 'cannot be read: it is nested too deeply' }; // the parser calls itself for each level
  }
  const [first] = errors;
  if (first === undefined) {
    return { value };
  }
  const line = text.slice(0, first.offset).split('\n').length;
  const what = printParseErrorCode(first.error)
    .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
    .toLowerCase();
  return { problem: `is no JSON: line ${line}: ${what}` };
}
