/** Finds what a test leaves behind: timers, sockets and processes still open, listeners still subscribed. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'mocha';

/** Open things that keep Node alive, by kind. */
function openHandles(): ReadonlyMap<string, number> {
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

/** Resolves when nothing more is open than before; rejects with the list after `limitMs`. */
export async function expectNoMoreHandles(
  before: ReadonlyMap<string, number>,
  limitMs = 3000,
): Promise<void> {
  const giveUpAt = performance.now() + limitMs;
  while (surplus(before).length > 0 && performance.now() < giveUpAt) {
    // Sockets and processes need some turns of the event loop to go.
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(surplus(before), [], 'left open');
}

/** Call it inside a `describe`: each test must close what it opened. */
export function failOnLeaks(): void {
  let before: ReadonlyMap<string, number>;
  beforeEach(() => {
    before = openHandles();
  });
  afterEach(() => expectNoMoreHandles(before));
}

/** Fails when something that was ended still listens. */
export function expectNoListeners(...sources: readonly { readonly hasListeners: boolean }[]): void {
  assert.equal(sources.filter((source) => source.hasListeners).length, 0, 'still listening');
}
