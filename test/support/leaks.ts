/** Finds what a test leaves behind: timers, sockets and processes still open, listeners still subscribed. */
import assert from 'node:assert/strict';
import { delay } from '../../src/base/async.ts';

/** Milliseconds after the end of a test: a busy machine takes its time to end processes. */
const closeMs = 15_000;

/** Open things that keep Node alive, by kind. */
export function openHandles(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

function surplus(before: ReadonlyMap<string, number>): readonly string[] {
  return [...openHandles()]
    .filter(([kind, count]) => count > (before.get(kind) ?? 0))
    .map(([kind, count]) => `${kind}: ${count - (before.get(kind) ?? 0)}`);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What is open after `limitMs` and was not then, as `kind: count`; returns as soon as it is nothing. */
export async function leftOpen(
  before: ReadonlyMap<string, number>,
  limitMs: number,
): Promise<readonly string[]> {
  const giveUpAt = performance.now() + limitMs;
  // Sockets and processes need some turns of the event loop to go.
  while (surplus(before).length > 0 && performance.now() < giveUpAt) {
    await delay(5);
    await turn(); // the timer itself counts until then
  }
  return surplus(before);
}

/** Suites whose servers serve all their tests. */
const sharing = new WeakSet<Mocha.Suite>();

/** Called first in a `describe` whose tests share servers: what is open is looked at when all of it is over. */
export function sharesServers(suite: Mocha.Suite): void {
  sharing.add(suite);
  suite.beforeAll(async () => {
    await turn();
    const before = openHandles();
    // The last one of the suite.
    suite.afterAll(() => expectNothingLeft(before));
  });
}

async function expectNothingLeft(before: ReadonlyMap<string, number>): Promise<void> {
  await turn();
  assert.deepEqual(await leftOpen(before, closeMs), [], 'left open');
}

let beforeTest: ReadonlyMap<string, number>;

/** For mocha's `--require`: each test must close what it opened, at the latest when its own hooks have run. */
export const mochaHooks = {
  // Mocha's timer for an asynchronous hook runs from the second turn on: both sides count it.
  async beforeEach(): Promise<void> {
    await turn();
    beforeTest = openHandles();
  },
  async afterEach(this: Mocha.Context): Promise<void> {
    const suite = this.currentTest?.parent;
    if (suite === undefined || !sharing.has(suite)) {
      await expectNothingLeft(beforeTest);
    }
  },
};

/** Fails when something that was ended still listens. */
export function expectNoListeners(...sources: readonly { readonly hasListeners: boolean }[]): void {
  assert.equal(sources.filter((source) => source.hasListeners).length, 0, 'still listening');
}
