import assert from 'node:assert/strict';
import { memoryBudgets, ServerMemory } from '../../../../src/host/servers/serverMemory.ts';
import { KeptRuns } from '../../../../src/vscode/text/keptRuns.ts';

const mebi = 1024 * 1024;
const sized = (mebibytes: number) => [{ name: 'a', bytes: Buffer.alloc(mebibytes * mebi) }];
const kept = (runs: KeptRuns<{ name: string; bytes: Uint8Array }>, last: number): number[] =>
  Array.from({ length: last }, (_, index) => index + 1).filter(
    (run) => runs.file(run, 'a') !== undefined,
  );

describe('KeptRuns', () => {
  it('keeps the files of the last 50 runs', () => {
    const runs = new KeptRuns(new ServerMemory().open());
    for (let run = 1; run <= 60; run++) {
      assert.equal(runs.add(sized(0)), run);
    }
    assert.deepEqual(kept(runs, 60)[0], 11);
    assert.equal(runs.file(60, 'b'), undefined);
  });

  it('keeps no more of them than there is memory for, and the last run whatever its size', () => {
    const runs = new KeptRuns(new ServerMemory().open());
    for (const mebibytes of [50, 50, 50, 20]) {
      runs.add(sized(mebibytes));
    }
    assert.deepEqual(kept(runs, 4), [2, 3, 4]);
    runs.add(sized(300));
    assert.deepEqual(kept(runs, 5), [2, 3, 4, 5]);
    runs.add(sized(1));
    assert.deepEqual(kept(runs, 6), [2, 3, 4, 6]);
  });

  it('makes room for what servers need, but for the last run', () => {
    const all = new ServerMemory();
    const runs = new KeptRuns(all.open());
    for (const mebibytes of [50, 30, 20]) {
      runs.add(sized(mebibytes));
    }
    const server = all.open(memoryBudgets.allBytes).hold();
    assert.equal(server.set(190 * mebi), true);
    assert.deepEqual(kept(runs, 3), [2, 3]);
    assert.equal(server.set(memoryBudgets.allBytes), true);
    assert.deepEqual(kept(runs, 3), [3]);
    runs.add(sized(0));
    assert.deepEqual(kept(runs, 4), [4]);
  });
});
