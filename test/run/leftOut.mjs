// What `npm test` leaves out, in whole or in part, so that it stays short, and `npm run test:all` runs after it.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const marks = ['support/whole.ts', 'support/variant.ts'];

/**
 * @param {string} folder with the tests, however deep
 * @returns {Promise<string[]>} the files of those that ask whether they run whole (test/support/whole.ts), have variants
 *   (test/e2e/support/variant.ts) or are variants
 */
export async function filesLeftOut(folder) {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => /\.(test|e2e)\.ts$/.test(name));
  const isLeftOut = await Promise.all(
    files.map(async (name) => {
      if (path.dirname(name) === 'variants') return true;
      const text = await readFile(path.join(folder, name), 'utf8');
      return marks.some((mark) => text.includes(mark));
    }),
  );
  return files.filter((_, index) => isLeftOut[index]).map((name) => path.join(folder, name));
}
