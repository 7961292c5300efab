/** docs/rules.md has every rule that sources and tests name, in words, with a level and a link. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What looks like an ID and is none. */
const others = ['UTF-16', 'ITEM-77'];

/** ID, rule, level, specification, shown by. */
const rows = fs
  .readFileSync(path.join(root, 'docs/rules.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]+-\d/u.test(line))
  .map((line) => line.slice(2, -2).split(' | '));
const ids = rows.map(([id = '']) => id);

const wrong = (isRight: (cells: readonly string[]) => boolean): readonly string[] =>
  rows.filter((cells) => !isRight(cells)).map((cells) => cells.join(' | '));

describe('docs/rules.md', () => {
  it('has each rule once, with five cells', () => {
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      [],
    );
    assert.deepEqual(
      wrong(
        ({ length, 0: id = '' }) => length === 5 && /^[A-Z]{2,6}-\d\d(?: \(2026\))?$/u.test(id),
      ),
      [],
    );
  });

  it('has every rule that sources and tests name', () => {
    const named = ['src', 'test'].flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(?:ts|mjs|cjs)$/u.test(entry.name))
        .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
        .flatMap((text) => text.match(/\b[A-Z]{2,6}-\d\d\b/gu) ?? []),
    );
    const known = new Set([...others, ...ids.map((id) => id.replace(' (2026)', ''))]);
    assert.deepEqual(
      [...new Set(named)].filter((id) => !known.has(id)),
      [],
    );
  });

  it('says each rule in 15 words at most', () => {
    assert.deepEqual(
      wrong(([, rule = '']) => rule !== '' && rule.split(/\s+/u).length <= 15),
      [],
    );
  });

  it('gives each rule a level and a link', () => {
    assert.deepEqual(
      wrong(([, , level = '', link = '']) => {
        const isLink = /^\[[^\]]+\]\((?:https:\/\/|\.\.\/|[\w-]+\.md)[^\s)]*\)/u.test(link);
        return /^(?:MUST|SHOULD|MAY|ours)$/u.test(level) && isLink;
      }),
      [],
    );
  });

  it('has a test in `npm test` of each rule that tests show', () => {
    const daily = fs
      .readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|mjs)$/u.test(name) && !name.includes('variants'))
      .map((name) => fs.readFileSync(path.join(root, 'test', name), 'utf8'))
      // The titles of tests that are left out.
      .map((text) => text.replaceAll(/\bvariant\(\s*(?:'[^\n]*'|`[^\n]*`),/gu, ''))
      .flatMap((text) => text.match(/\b[A-Z]{2,6}-\d\d\b/gu) ?? []);
    const shown = new Set(daily);
    assert.deepEqual(
      wrong(
        ([id = '', , , , tests = '']) =>
          !tests.startsWith('[') || shown.has(id.replace(' (2026)', '')),
      ),
      [],
    );
  });

  it('refers from a rule only to another that tests show', () => {
    const shown = new Map(rows.map(([id = '', , , , tests = '']) => [id, tests]));
    assert.deepEqual(
      wrong(([, , , , tests = '']) => {
        return !tests.startsWith('as ') || shown.get(tests.slice(3))?.startsWith('[') === true;
      }),
      [],
    );
  });
});
