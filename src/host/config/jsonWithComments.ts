/** JSON with comments and trailing commas, as in the editor's settings and in files of other programs. */
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser';

export type ReadResult =
  | { readonly value: unknown }
  /** `partial` is what can be read all the same. */
  | { readonly problem: string; readonly partial?: unknown };

/**
 * @param isEmpty whether a text of nothing, or only of comments, is allowed: its value is undefined
 * @returns as `problem`, the end of a sentence that begins with the file
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
  return { problem: `is not JSON: line ${line}: ${what}`, partial: value };
}
