/** Finds what a test leaves behind: timers, sockets and processes still open, listeners still subscribed. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'mocha';
import { delay } from '../../src/base/async.ts';

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

/** Call it inside a `describe`: each test must close what it opened, within `limitMs` after its end. */
export function failOnLeaks(limitMs = 5_000): void {
  let before: ReadonlyMap<string, number>;
  // Mocha's timer for an asynchronous hook runs from the second turn on: both sides count it.
  beforeEach(async () => {
    await turn();
    before = openHandles();
  });
  afterEach(async () => {
    await turn();
    assert.deepEqual(await leftOpen(before, limitMs), [], 'left open');
  });
}

/** Fails when something that was ended still listens. */
export function expectNoListeners(...sources: readonly { readonly hasListeners: boolean }[]): void {
  assert.equal(sources.filter((source) => source.hasListeners).length, 0, 'still listening');
}
