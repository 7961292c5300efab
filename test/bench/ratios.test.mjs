// The short variant of `npm run bench`: ours against raw, and no goal missed by more than a fifth. A row
// that misses is measured again after a pause, five times at most, and the best of all counts: another program
// that takes the machine for some seconds makes nobody fail here.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { measureActivation } from '../../bench/activation.mjs';
import { bundle, clients } from '../../bench/bundles.mjs';
import { farMiss, goals, inEditor } from '../../bench/goals.mjs';
import { measure } from '../../bench/runs.mjs';

const attempts = 6;
const pauseMs = 5_000;
const scale = 1;

describe('the goals of the benchmark, to a fifth', function () {
  this.timeout(240_000);
  let folder;
  let compared;
  /** By row: the numbers of raw and of ours, a member an attempt. */
  const measured = new Map();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-host-bench-'));
    const chosen = ['raw', 'ours'].map((wanted) => clients.find(({ key }) => key === wanted));
    compared = await Promise.all(chosen.map((client) => bundle(client, folder)));
  });

  after(() => rm(folder, { recursive: true }));

  /** @returns of raw and of ours; in a window there is ours alone */
  async function numbersOf(row) {
    if (row === inEditor) {
      const [numbers] = await measureActivation(1);
      return [numbers, numbers];
    }
    const [measurement, place] = row.split(' ');
    const numbers = [];
    for (const client of compared) {
      numbers.push(await measure(client, measurement, place, scale));
    }
    return numbers;
  }

  async function attempt(row) {
    const numbers = await numbersOf(row);
    const [raw, ours] = measured.get(row) ?? [[], []];
    measured.set(row, [
      [...raw, numbers[0]],
      [...ours, numbers[1]],
    ]);
  }

  for (const goal of goals) {
    it(goal.text, async () => {
      if (!measured.has(goal.row)) {
        await attempt(goal.row);
      }
      let miss = farMiss(goal, ...measured.get(goal.row));
      while (miss !== undefined && measured.get(goal.row)[0].length < attempts) {
        await delay(pauseMs);
        await attempt(goal.row);
        miss = farMiss(goal, ...measured.get(goal.row));
      }
      assert.equal(miss, undefined);
    });
  }
});
