import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';

const root = path.resolve(import.meta.dirname, '../../..');

/** A hook that tells of a second try of its own, and a test that needs one of mocha's. */
const content = `
import { noteSecondTry } from '${new URL('../../e2e/support/until.ts', import.meta.url).href}';
describe('NAME', () => {
  let tries = 0;
  before(() => noteSecondTry('the window', new Error('it did not come')));
  it('comes', () => {
    tries += 1;
    if (tries === 1) throw new Error('it moved');
  });
});
`;

describe('The reporter of the suites', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'reporter-'));
    for (const name of ['first', 'second', 'third']) {
      await writeFile(path.join(folder, `${name}.test.mjs`), content.replace('NAME', name));
    }
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  for (const [how, flags] of [
    ['one after the other', []],
    ['side by side', ['--parallel', '--jobs', '2']],
  ] as const) {
    it(`names each second try, once, when files run ${how}`, async () => {
      const { output, counts } = await runMocha(flags);
      assert.deepEqual(
        { ...counts, retried: named(counts.retried) },
        {
          passed: 3,
          failed: 0,
          skipped: 0,
          retried: ['first', 'second', 'third'].flatMap((name) => [
            `${name} "before all" hook, the window: it did not come`,
            `${name} comes: it moved`,
          ]),
        },
      );
      assert.equal(output.split('↻ the window, after: Error: it did not come\n').length, 4);
      assert.equal(output.split('↻ comes, after: Error: it moved\n').length, 4);
    });
  }

  async function runMocha(flags: readonly string[]): Promise<{
    readonly output: string;
    readonly counts: { readonly retried: readonly string[] };
  }> {
    const countsFile = path.join(folder, 'counts.json');
    const args = ['--reporter', path.join(root, 'test/run/reporter.cjs'), '--retries', '1'];
    const output = await new Promise<string>((resolve, reject) => {
      execFile(
        process.execPath,
        [
          path.join(root, 'node_modules/mocha/bin/mocha.js'),
          ...args,
          ...flags,
          `${folder}/*.test.mjs`,
        ],
        // Outside the clone, where its own configuration of mocha is not found.
        { cwd: folder, env: { ...process.env, MCP_HOST_TEST_COUNTS: countsFile } },
        (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
      );
    });
    return { output, counts: JSON.parse(await readFile(countsFile, 'utf8')) };
  }
});

/** Without what mocha adds to the title of a hook: at first "for" the test that comes next, later "in" the suite. */
function named(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/ (?:for|in) "\w+"/, '')).toSorted();
}
