import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');

const contents = {
  good: "describe('good', () => it('works', () => {}));",
  moved:
    "describe('moved', () => { it('works', () => {}); it('comes', () => { throw new Error('it moved'); }); });",
  counted:
    "describe('counted', () => it('a job', function () { this.test.title += ': clicks 1, Enter 2'; }));",
  hook: "describe('hook', () => { before(() => { throw new Error('no window'); }); it('works', () => {}); });",
};

describe('The reporter of the suites', () => {
  let folder: string;

  const file = (name: string): string => path.join(folder, `${name}.test.mjs`);

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'reporter-')));
    for (const [name, content] of Object.entries(contents)) {
      await writeFile(file(name), content);
    }
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  for (const [how, flags] of [
    ['one after the other', []],
    ['side by side', ['--parallel', '--jobs', '2']],
  ] as const) {
    it(`tells which file each failure is of, and what a job takes, when files run ${how}`, async () => {
      const { files, failures, ...others } = await runMocha(flags);
      assert.deepEqual(others, {
        passed: 3,
        failed: 2,
        skipped: 0,
        steps: ['a job: clicks 1, Enter 2'],
      });
      assert.deepEqual(files, {
        [file('good')]: { passed: 1, failed: 0, skipped: 0 },
        [file('moved')]: { passed: 1, failed: 1, skipped: 0 },
        [file('counted')]: { passed: 1, failed: 0, skipped: 0 },
        [file('hook')]: { passed: 0, failed: 1, skipped: 0 },
      });
      assert.deepEqual(
        new Map(failures.map((failure) => [failure.file, failure.what])),
        new Map([
          [file('moved'), 'moved comes: it moved'],
          [file('hook'), 'hook "before all" hook for "works": no window'],
        ]),
      );
    });
  }

  async function runMocha(flags: readonly string[]): Promise<{
    readonly files: Readonly<Record<string, unknown>>;
    readonly failures: readonly { readonly file: string; readonly what: string }[];
  }> {
    const countsFile = path.join(folder, 'counts.json');
    const args = [
      path.join(root, 'node_modules/mocha/bin/mocha.js'),
      '--reporter',
      path.join(root, 'test/run/reporter.cjs'),
      ...flags,
      `${folder}/*.test.mjs`,
    ];
    // Outside the clone, where its own configuration of mocha is not found.
    const env = { ...process.env, MCP_HOST_TEST_COUNTS: countsFile };
    await new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: folder, env }, resolve);
    });
    return JSON.parse(await readFile(countsFile, 'utf8'));
  }
});
