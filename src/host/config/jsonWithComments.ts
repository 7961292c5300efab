/** JSON with comments and trailing commas, as in the editor's settings and in files of other programs. */
import { t } from '../../base/l10n.ts';
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
    return { problem: t('cannot be read: it is nested too deeply') }; // the parser calls itself for each level
  }
  const [first] = errors;
  if (first === undefined) {
    return { value };
  }
  const line = text.slice(0, first.offset).split('\n').length;
  const what = mistakes()[printParseErrorCode(first.error)];
  const problem =
    what === undefined
      ? t('is not JSON: line {0}', line)
      : t('is not JSON: line {0}: {1}', line, what);
  return { problem, partial: value };
}

/** By the names that the parser has for them. */
function mistakes(): Readonly<Record<string, string>> {
  return {
    InvalidSymbol: t('invalid symbol'),
    InvalidNumberFormat: t('invalid number format'),
    PropertyNameExpected: t('property name expected'),
    ValueExpected: t('value expected'),
    ColonExpected: t('colon expected'),
    CommaExpected: t('comma expected'),
    CloseBraceExpected: t('close brace expected'),
    CloseBracketExpected: t('close bracket expected'),
    EndOfFileExpected: t('end of file expected'),
    InvalidCommentToken: t('invalid comment'),
    UnexpectedEndOfComment: t('unexpected end of comment'),
    UnexpectedEndOfString: t('unexpected end of string'),
    UnexpectedEndOfNumber: t('unexpected end of number'),
    InvalidUnicode: t('invalid unicode'),
    InvalidEscapeCharacter: t('invalid escape character'),
    InvalidCharacter: t('invalid character'),
  };
}
