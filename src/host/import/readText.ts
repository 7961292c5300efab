/**
 * Texts of files → values: JSON with comments, TOML, YAML. For an unreadable file, a sentence. Who gets a text limits its
 * length.
 */
import { t } from '../../base/l10n.ts';
import { parse as parseToml, TomlError } from 'smol-toml';
import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { type ReadResult, readJsonWithComments } from '../config/jsonWithComments.ts';

/** More characters of JSON with comments, which takes far longer to parse, would block the editor's thread. */
const maxCommented = 256 * 1024;

export function readJson(text: string): ReadResult {
  const plain = withoutMark(text);
  try {
    const value: unknown = JSON.parse(plain);
    return { value };
  } catch {
    return plain.length > maxCommented
      ? {
          problem: t(
            'is not JSON; with comments it is not read, because it is larger than {0} KiB',
            maxCommented / 1024,
          ),
        }
      : readJsonWithComments(plain, 'wrong');
  }
}

export function readToml(text: string): ReadResult {
  try {
    return { value: parseToml(withoutMark(text)) };
  } catch (error) {
    return {
      problem:
        error instanceof TomlError ? t('is not TOML: line {0}', error.line) : t('is not TOML'),
    };
  }
}

/** The last of duplicate keys counts, as in JSON. */
export function readYaml(text: string): ReadResult {
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(withoutMark(text), {
      lineCounter,
      // Otherwise each key is compared with all before it, and each error gets its surrounding lines.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const [first] = document.errors;
    if (first !== undefined) {
      return { problem: t('is not YAML: line {0}', lineCounter.linePos(first.pos[0]).line) };
    }
    if (hasOddKey(document)) {
      return { problem: t('cannot be read: a key in it is not a text') };
    }
    // Few aliases: a small text could expand to gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { value };
  } catch {
    return { problem: t('cannot be read: it is nested too deeply, or repeats itself too often') };
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

/** Editors on Windows add a byte order mark. */
function withoutMark(text: string): string {
  return text.replace(/^\u{feff}/u, '');
}
