/** A server with very many items: the extension host stays able to answer while they come. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import * as vscode from 'vscode';
import { viewId } from '../../src/vscode/ids.ts';
import { clear, configure, probe, server, until, untilState } from './support/host.ts';

const items = 10_000;
const tickMs = 20;

/** Measures how long the event loop of the extension host was busy with one thing. */
class Pulse {
  #last = performance.now();
  longestMs = 0;
  readonly #ticks = new EventEmitter();
  readonly #timer = setInterval(() => {
    const now = performance.now();
    this.longestMs = Math.max(this.longestMs, now - this.#last - tickMs);
    this.#last = now;
    this.#ticks.emit('tick');
  }, tickMs);

  /** Resolves with the next tick: what blocked until then is measured. */
  async beat(): Promise<void> {
    await once(this.#ticks, 'tick');
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

async function longestGap(work: () => Promise<void>): Promise<number> {
  const pulse = new Pulse();
  try {
    await work();
    await pulse.beat();
  } finally {
    pulse.stop();
  }
  return pulse.longestMs;
}

describe('very many items', () => {
  before(() => vscode.commands.executeCommand(`${viewId}.focus`));

  afterEach(clear);

  for (const page of [100, items]) {
    it(`PAGE-02, TOOL-01, RES-01, VSC-21: ${items} tools and ${items} resources, ${page} a page, do not block the extension host`, async function () {
      const gapMs = await longestGap(async () => {
        await configure({ large: probe({ ITEMS: String(items), PAGE: String(page) }) });
        await untilState('large', 'ready');
        await until('all items', () => {
          const summary = server('large');
          return summary?.tools === items && summary.resources === items;
        });
      });
      const { test } = this;
      assert.ok(test);
      test.title += ` (longest gap ${gapMs.toFixed(0)} ms)`;
      assert.ok(gapMs < 1_000, `${gapMs} ms`);
    });
  }
});
