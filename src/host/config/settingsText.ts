/** What is wrong with the text of a file of settings: JSON with comments, as the editor takes it. */
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser';

/** Completes a sentence that begins with the file; undefined for a text that parses. */
export function whatIsWrongWithSettings(text: string): string | undefined {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    return 'is nested too deeply'; // the parser calls itself for each level
  }
  const [first] = errors;
  if (first === undefined) {
    return undefined;
  }
  const line = text.slice(0, first.offset).split('\n').length;
  const what = printParseErrorCode(first.error)
    .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
    .toLowerCase();
  return `is no JSON: line ${line}: ${what}`;
}
