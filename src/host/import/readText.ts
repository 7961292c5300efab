/** Texts of files → values: JSON with comments, TOML, YAML. A file that cannot be read gives a sentence. */
import { parse as parseJsonc, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { LineCounter, parseDocument } from 'yaml';

export type ReadResult = { readonly value: unknown } | { readonly problem: string };

/** In UTF-16 units. Claude Code keeps its whole history in the file that has its servers. */
const maxLength = 32 * 1024 * 1024;
/** TOML and YAML are written by hand; their parsers take far longer. */
const maxHandWrittenLength = 1024 * 1024;

export function readJson(text: string): ReadResult {
  const plain = withoutMark(text);
  if (plain.length > maxLength) {
    return tooLarge(maxLength);
  }
  try {
    const value: unknown = JSON.parse(plain);
    return { value };
  } catch {
    return readJsonWithComments(plain);
  }
}

function readJsonWithComments(text: string): ReadResult {
  const errors: ParseError[] = [];
  try {
    const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first === undefined) {
      return { value };
    }
    const line = text.slice(0, first.offset).split('\n').length;
    const what = printParseErrorCode(first.error)
      .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
      .toLowerCase();
    return { problem: `is no JSON: line ${line}: ${what}` };
  } catch {
    return tooDeep; // the parser calls itself for each level
  }
}

export function readToml(text: string): ReadResult {
  if (text.length > maxHandWrittenLength) {
    return tooLarge(maxHandWrittenLength);
  }
  try {
    return { value: parseToml(withoutMark(text)) };
  } catch (error) {
    return {
      problem: error instanceof TomlError ? `is no TOML: line ${error.line}` : 'is no TOML',
    };
  }
}

export function readYaml(text: string): ReadResult {
  if (text.length > maxHandWrittenLength) {
    return tooLarge(maxHandWrittenLength);
  }
  const lines = new LineCounter();
  try {
    const document = parseDocument(withoutMark(text), { lineCounter: lines, logLevel: 'silent' });
    const [first] = document.errors;
    if (first !== undefined) {
      return { problem: `is no YAML: line ${lines.linePos(first.pos[0]).line}` };
    }
    // Few aliases: a small text could stand for gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { value };
  } catch {
    return tooDeep;
  }
}

const tooDeep: ReadResult = { problem: 'cannot be read: it is nested too deeply' };

function tooLarge(limit: number): ReadResult {
  return { problem: `is not read: it is larger than ${limit / 1024 / 1024} MB` };
}

/** Editors of Windows put a byte order mark first. */
function withoutMark(text: string): string {
  return text.replace(/^\u{feff}/u, '');
}
