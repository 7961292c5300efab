import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type AppRun,
  KeptAppRuns,
  keptAppLimits,
  newChatRun,
  viewTypeOf,
} from '../../../../src/vscode/apps/appRun.ts';

describe('Calls that apps show', () => {
  let folder = '';
  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'apps-')), 'apps');
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

  it('are kept over a reload, for their owner alone, until they are dropped', async () => {
    const kept = new KeptAppRuns(folder);
    const run = newRun();
    await kept.keep(run);
    assert.deepEqual(await new KeptAppRuns(folder).read(run.id), run);
    const { mode } = await stat(path.join(folder, `${run.id}.json`));
    assert.equal((mode & 0o777).toString(8), '600');
    await kept.drop(run.id);
    assert.equal(await kept.read(run.id), undefined);
  });

  it('are none where the file was cut, is another one, or has a name of the page’s choice', async () => {
    const kept = new KeptAppRuns(folder);
    const run = newRun();
    await kept.keep(run);
    const file = path.join(folder, `${run.id}.json`);
    for (const text of [JSON.stringify(run).slice(0, -5), '[]', '{"id":"x"}']) {
      await writeFile(file, text);
      assert.equal(await kept.read(run.id), undefined, text);
    }
    await writeFile(path.join(path.dirname(folder), 'other.json'), JSON.stringify(run));
    assert.equal(await kept.read('../other'), undefined);
  });

  it('are not kept when they are too long, and the oldest go first', async () => {
    const kept = new KeptAppRuns(folder);
    await kept.keep(newRun('x'.repeat(keptAppLimits.chars)));
    const runs = Array.from({ length: keptAppLimits.calls + 2 }, () => newRun());
    for (const run of runs) {
      await kept.keep(run);
      await new Promise((resolve) => setTimeout(resolve, 5)); // files have times of their own
    }
    const names = runs.slice(2).map(({ id }) => `${id}.json`);
    assert.deepEqual((await readdir(folder)).toSorted(), names.toSorted());
  });

  it('of two servers are in tabs of two types', () => {
    assert.notEqual(viewTypeOf('user:one'), viewTypeOf('user:two'));
    assert.match(viewTypeOf('user:one'), /^[\w.]+$/u);
  });
});

function newRun(text = 'done'): AppRun {
  const tool = { name: 'show', inputSchema: { type: 'object' as const } };
  return newChatRun(tool, {
    server: 'one',
    serverId: 'user:one',
    tool: 'show',
    input: {},
    result: { content: [{ type: 'text', text }] },
    outputProblems: [],
    unchecked: [],
    durationMs: 1,
  });
}
