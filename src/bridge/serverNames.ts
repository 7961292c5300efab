/**
 * The names under which servers introduce themselves. They make the ids that VS Code gives to their tools readable:
 * `mcp_<name>_<tool>`, 64 characters at most. Pure.
 *
 * VS Code makes the prefix from `serverInfo.title`, else from `serverInfo.name`: lower case, everything but `a-z0-9_.-`
 * becomes `_`, cut to 13 characters. Equal prefixes would get a number in the order in which the servers start, so ids
 * would not last.
 */
import { createHash } from 'node:crypto';
import { trimmedEnd, trimmedOf } from '../base/text.ts';

/** 18 characters without `mcp_` and the `_` at the end. */
const maxChars = 13;
/** A word that is cut shorter says little. */
const minChars = 5;

/** Names of servers, in their order → their own names. Distinct, and the same each time. */
export function serverNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    names.map((name) => {
      const plain = cut(toWord(name), maxChars);
      let word = plain;
      for (let chars = 4; word === '' || taken.has(word); chars += 1) {
        word = withHash(plain, name, chars);
      }
      taken.add(word);
      return [name, word];
    }),
  );
}

function toWord(name: string): string {
  return trimmedOf(name.toLowerCase().replaceAll(/[^a-z0-9-]+/gu, '_'), '_-');
}

/** Cuts between words, if that leaves most of it. */
function cut(word: string, chars: number): string {
  if (word.length <= chars) {
    return word;
  }
  const head = word.slice(0, chars);
  const isWhole = /[_-]/u.test(word.charAt(chars));
  const boundary = Math.max(head.lastIndexOf('_'), head.lastIndexOf('-'));
  const end = isWhole || boundary < minChars ? chars : boundary;
  return trimmedEnd(head.slice(0, end), '_-');
}

function withHash(word: string, name: string, chars: number): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, chars);
  return `${word === '' ? 'server' : cut(word, maxChars - 1 - chars)}_${hash}`;
}
