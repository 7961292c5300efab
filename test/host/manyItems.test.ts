/** A server with very many items: the extension host stays able to answer while they come. */
import assert from 'node:assert/strict';
import { clear, configure, probe, server, until, untilState } from './support/host.ts';

const items = 10_000;
const tickMs = 20;

/** Measures how long the event loop of the extension host was busy with one thing. */
class Pulse {
  #last = performance.now();
  longestMs = 0;
  readonly #timer = setInterval(() => {
    const now = performance.now();
    this.longestMs = Math.max(this.longestMs, now - this.#last - tickMs);
    this.#last = now;
  }, tickMs);

  stop(): void {
    clearInterval(this.#timer);
  }
}

describe('very many items', () => {
  after(clear);

  it(`PAGE-02, TOOL-01, RES-01, VSC-21: ${items} tools and ${items} resources do not block the extension host`, async function () {
    const pulse = new Pulse();
    try {
      await configure({ large: probe({ ITEMS: String(items) }) });
      await untilState('large', 'ready');
      await until('all items', () => {
        const summary = server('large');
        return summary?.tools === items && summary.resources === items;
      });
    } finally {
      pulse.stop();
    }
    const { test } = this;
    assert.ok(test);
    test.title += ` (longest gap ${pulse.longestMs.toFixed(0)} ms)`;
    assert.ok(pulse.longestMs < 1_000, `${pulse.longestMs} ms`);
  });
});
