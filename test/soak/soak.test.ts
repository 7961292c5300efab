/** A short soak with few servers; `npm run test:soak` has many of them for half an hour. */
import assert from 'node:assert/strict';
import { delay } from '../../src/base/async.ts';
import { leftOpen, openHandles } from '../support/leaks.ts';
import { writeResult } from '../support/testResults.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { describeGrowth, judge, type Sample } from './flatness.ts';
import { toReport } from './report.ts';
import { openServers } from './servers.ts';
import { soak } from './soak.ts';
import { SoakHost } from './soakHost.ts';

const megabyte = 2 ** 20;

/** Twenty samples, a second apart. */
function series(value: (index: number) => number): readonly Sample[] {
  return Array.from({ length: 20 }, (_, index) => ({
    atMs: index * 1_000,
    acts: index,
    heap: value(index) * megabyte,
    rss: value(index) * megabyte,
    handles: value(index),
  }));
}

describe('soak', function () {
  this.timeout(300_000);
  const limits = { heap: 3 * megabyte, rss: 24 * megabyte, handles: 5 };

  const shapes: readonly (readonly [string, (index: number) => number, boolean])[] = [
    ['what stays', () => 50, true],
    ['what is filled in the first half', (index) => Math.min(index * 10, 100), true],
    ['one peak', (index) => (index === 18 ? 500 : 50), true],
    ['what becomes less', (index) => 100 - index * 4, true],
    ['what grows all the time', (index) => 50 + index, false],
    ['what grows between peaks', (index) => 50 + index + (index % 3) * 4, false],
  ];
  for (const [what, value, isFlat] of shapes) {
    it(`${what} ${isFlat ? 'is flat' : 'is not'}`, () => {
      const [heap, , handles] = judge(series(value), limits);
      assert.deepEqual([heap?.isFlat, handles?.isFlat], [isFlat, isFlat]);
    });
  }

  it('a restart leaves no handle behind, over any channel', async () => {
    const servers = await openServers(7);
    const host = new SoakHost(servers.byName);
    const names = [...servers.byName.keys()];
    const restarts = 5;
    try {
      await waitUntil('all servers', () => host.areReady(), 60_000);
      await delay(1_000); // their streams are open by then
      const before = openHandles();
      for (let turn = 0; turn < restarts; turn += 1) {
        await Promise.all(names.map((name) => host.connection(name).restart()));
      }
      // Connections that are kept for another request go by themselves.
      assert.deepEqual(await leftOpen(before, 30_000), []);
    } finally {
      await host.close(60_000);
      await servers.close();
    }
  });

  it('mixed traffic and servers that die: every operation ends, and memory and handles stay flat', async () => {
    const servers = 10;
    const result = await soak({
      servers,
      durationMs: 10_000,
      sampleEveryMs: 1_500,
      quietMs: 100,
      pauseMs: 40,
      disturbEveryMs: 700,
    });
    // Less than a minute after its start, Node still compiles what it runs.
    const short = { heap: 16 * megabyte, rss: 128 * megabyte, handles: 40 };
    const growths = judge(result.samples, short);
    writeResult('soak-short.md', toReport({ servers, ...result }, growths));
    assert.deepEqual(result.defects, []);
    const growing = growths.filter(({ isFlat }) => !isFlat);
    assert.deepEqual(growing.map(describeGrowth), []);
    for (const kind of [
      'call',
      'list',
      'read',
      'subscription',
      'progress',
      'cancel',
      'elicitation',
    ]) {
      assert.ok((result.outcomes.get(`${kind}: result`) ?? 0) > 0, kind);
    }
    assert.ok(result.disturbances.size > 2);
  });
});
