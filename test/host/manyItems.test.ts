/** A server with very many items: the extension host stays able to answer while they come. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import * as vscode from 'vscode';
import { viewId } from '../../src/vscode/ids.ts';
import type { Catalog } from '../../src/host/catalog/catalog.ts';
import type { McpHost } from '../../src/host/servers/host.ts';
import type { Resource } from '../../src/mcp/types/lists.ts';
import type { TreeNode } from '../../src/vscode/tree/nodes.ts';
import type { ServerTree } from '../../src/vscode/tree/serverTree.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import {
  ask,
  clear,
  configure,
  limitMs,
  probe,
  run,
  server,
  until,
  untilState,
} from './support/host.ts';
import { createTree } from './support/treeParts.ts';

const items = 10_000;
const manyResources = 100_000;
/** Within which a busy machine reads all of them. */
const manyMs = 120_000;
const tickMs = 20;

/**
 * Measures how long the event loop of the extension host was busy with one thing: the time between two ticks, and
 * no more than what the process worked meanwhile, since a busy machine makes everybody wait.
 */
class Pulse {
  #last = performance.now();
  #lastCpu = process.cpuUsage();
  longestMs = 0;
  readonly #ticks = new EventEmitter();
  readonly #timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.#lastCpu);
    const busyMs = Math.min(now - this.#last - tickMs, (user + system) / 1_000);
    this.longestMs = Math.max(this.longestMs, busyMs);
    this.#last = now;
    this.#lastCpu = process.cpuUsage();
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

/** The longest time for which the extension host was busy with one thing during `work`. */
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

  it(`PAGE-02, TOOL-01, RES-01, VSC-21: ${items} tools and ${items} resources at once do not block the extension host`, async () => {
    const gapMs = await longestGap(async () => {
      await configure({ large: probe({ ITEMS: String(items), PAGE: String(items) }) });
      await untilState('large', 'ready');
      await until('all items', () => isWhole(items));
    });
    assert.ok(gapMs < 1_000, `${gapMs} ms`);
  });

  it(`PAGE-01, RES-01: ${manyResources} resources and ${items} tools: the first page, all, and a refresh`, async () => {
    const gapMs = await longestGap(async () => {
      await configure({
        large: probe({ ITEMS: String(items), RESOURCES: String(manyResources - 1), PAGE: '1000' }),
      });
      await untilState('large', 'ready');
      await until('the first page', () => (server('large')?.resources ?? 0) > 0);
      await until('all items', () => isWhole(manyResources - 1), manyMs);
      assert.equal(await ask('large', 'more'), String(manyResources));
      await run('refreshServer', 'user/large');
      await until('the refresh', () => isWhole(manyResources), manyMs);
    });
    assert.ok(gapMs < 2_000, `${gapMs} ms`);
  }).timeout(2 * manyMs + limitMs);
});

describe(`the tree of ${manyResources} resources`, () => {
  let host: McpHost;
  let tree: ServerTree;
  let resources: readonly Resource[];

  beforeEach(async () => {
    resources = Array.from({ length: manyResources }, (_, n) => ({
      uri: `demo://archive/${n % 700}/year/${n % 1_000}/item-${n}`,
      name: `item-${n}`,
      description: `The thing that has the number ${n}`,
    }));
    const parts = createTree({ 'resources/list': () => ({ resources }) });
    ({ host, tree } = parts);
    parts.reconcile(stdioServer('large', { startup: 'auto' }));
    await until('the list', () => catalog().items('resources').length === manyResources);
  });

  afterEach(() => {
    tree.dispose();
    host.dispose();
  });

  function catalog(): Catalog {
    const [connection] = host.servers.values();
    assert.ok(connection);
    return connection.catalog;
  }

  /** As the editor does when a row is opened: the rows below, and what each looks like. */
  function draw(node: TreeNode): readonly vscode.TreeItem[] {
    return tree.getChildren(node).map((child) => tree.getTreeItem(child));
  }

  it('VSC-21: draws folders, a filter and a refresh without blocking the extension host', async () => {
    const group = { kind: 'group', serverId: 'user/large', list: 'resources' } as const;
    const [folders, firstMs] = timed(() => draw(group));
    assert.equal(folders.length, 501, 'one slice, and the row for the rest');
    assert.equal(folders[0]?.label, '0/year');
    const [again, againMs] = timed(() => draw(group));
    assert.equal(again.length, 501);
    const [matches, filterMs] = timed(() => {
      tree.filter(group, 'ITEM-77 number');
      return draw(group);
    });
    assert.equal(matches.length, 501);
    assert.equal(tree.getTreeItem(group).description, '“ITEM-77 number” · 1,111 of 100,000');
    tree.filter(group, '');
    const before = catalog().items('resources');
    resources = resources.map((resource, n) => ({ ...resource, ...(n === 0 && { size: 1 }) }));
    catalog().refresh();
    await until('the refresh', () => catalog().items('resources') !== before);
    const [, refreshMs] = timed(() => draw(group));
    const times = { first: firstMs, again: againMs, filter: filterMs, refresh: refreshMs };
    for (const [name, ms] of Object.entries(times)) {
      assert.ok(ms < 1_500, `${name}: ${ms} ms`);
    }
  });
});

function isWhole(resources: number): boolean {
  const summary = server('large');
  return summary?.isLoading === false && summary.tools === items && summary.resources === resources;
}

/** What `work` gives, and the milliseconds that it took, no more than what the process worked meanwhile. */
function timed<T>(work: () => T): readonly [T, number] {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const result = work();
  const tookMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return [result, Math.min(tookMs, (user + system) / 1_000)];
}
