// Which folders import each other.
import path from 'node:path';

/**
 * Pairs of folders, beside each other or not, with imports both ways; imports of types count.
 * @param {ReadonlyMap<string, string>} texts of source files, by their paths with `/`
 * @returns {[string, string][]}
 */
export function mutualFolders(texts) {
  const found = new Set();
  for (const [file, text] of texts) {
    for (const [, to] of text.matchAll(/from '(\.[^']+)'/gu)) {
      const from = path.posix.dirname(file);
      const target = path.posix.dirname(path.posix.join(from, to));
      if (target !== from) found.add(`${from} ${target}`);
    }
  }
  return [...found]
    .map((pair) => pair.split(' '))
    .filter(([from, to]) => from < to && found.has(`${to} ${from}`));
}
