/** Texts of files → values: JSON with comments, TOML, YAML. For an unreadable file, a sentence. */
import { parse as parseToml, TomlError } from 'smol-toml';
import { Composer, type CST, type Document, isScalar, LineCounter, Parser, visit } from 'yaml';
import { type ReadResult, readJsonWithComments } from '../config/jsonWithComments.ts';

/**
 * Maximum characters per language, so that parsing blocks the editor's thread for about 0.1 s at most. Claude Code
 * keeps its whole history in the file with its servers, and JSON is fast. The others are written by hand.
 */
const maxLength = {
  json: 32 * 1024 * 1024,
  commented: 256 * 1024,
  toml: 256 * 1024,
  yaml: 64 * 1024,
};

export function readJson(text: string): ReadResult {
  const plain = withoutMark(text);
  if (plain.length > maxLength.json) {
    return tooLarge(maxLength.json);
  }
  try {
    const value: unknown = JSON.parse(plain);
    return { value };
  } catch {
    return plain.length > maxLength.commented
      ? {
          problem: `is not JSON; with comments it is not read, because ${largerThan(maxLength.commented)}`,
        }
      : readJsonWithComments(plain, 'wrong');
  }
}

export function readToml(text: string): ReadResult {
  if (text.length > maxLength.toml) {
    return tooLarge(maxLength.toml);
  }
  try {
    return { value: parseToml(withoutMark(text)) };
  } catch (error) {
    return {
      problem: error instanceof TomlError ? `is not TOML: line ${error.line}` : 'is not TOML',
    };
  }
}

/** The last of duplicate keys counts, as in JSON. */
export function readYaml(text: string): ReadResult {
  if (text.length > maxLength.yaml) {
    return tooLarge(maxLength.yaml);
  }
  const lines = new LineCounter();
  const tokens = new Parser(lines.addNewLine).parse(withoutMark(text));
  // Otherwise each key is compared with all before it, and each error gets its surrounding lines.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  try {
    const [document] = composer.compose(untilError(tokens), true, text.length);
    if (document === undefined) {
      return { problem: 'is not YAML' };
    }
    const [first] = document.errors;
    if (first !== undefined) {
      return { problem: `is not YAML: line ${lines.linePos(first.pos[0]).line}` };
    }
    if (hasOddKey(document)) {
      return { problem: 'cannot be read: a key in it is not a text' };
    }
    // Few aliases: a small text could expand to gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { value };
  } catch {
    return { problem: 'cannot be read: it is nested too deeply, or repeats itself too often' };
  }
}

/** Lists and objects as keys would be converted to texts, each with all keys around it. */
function hasOddKey(document: Document): boolean {
  let isOdd = false;
  visit(document, {
    Pair: (_key, { key }) => {
      isOdd ||= !isScalar(key);
      return isOdd ? visit.BREAK : undefined;
    },
  });
  return isOdd;
}

/** Stops at the first error: the file is not used then. */
function* untilError(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    yield token;
    if (token.type === 'error') {
      return;
    }
  }
}

function tooLarge(limit: number): ReadResult {
  return { problem: `is not read: ${largerThan(limit)}` };
}

function largerThan(limit: number): string {
  const size = limit < 1024 * 1024 ? `${limit / 1024} KiB` : `${limit / 1024 / 1024} MB`;
  return `it is larger than ${size}`;
}

/** Editors on Windows add a byte order mark. */
function withoutMark(text: string): string {
  return text.replace(/^\u{feff}/u, '');
}
