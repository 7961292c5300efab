// Measures the catalog with 100,000 resources and 10,000 tools over stdio, and writes resources.md.
//   node resources.mjs [--reps=5]
// Each run is a process of its own (this file with --one); the longest event-loop block stands beside an idle second.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { median } from './report.mjs';

const { values: flags } = parseArgs({
  options: { reps: { type: 'string', default: '5' }, one: { type: 'string' } },
});
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const resources = 100_000;
const tools = 10_000;

const rows = [
  ['firstMs', 'first page known (ms)'],
  ['allMs', 'all known (ms)'],
  ['foldersMs', 'sorted into folders (ms)'],
  ['filterMs', 'filtered by two words (ms)'],
  ['refreshMs', 'all fetched again and compared (ms)'],
  ['blockMs', 'longest event-loop block (ms)'],
  ['idleMs', '… of an idle second (ms)'],
];

async function longestBlock(work) {
  const blocks = monitorEventLoopDelay({ resolution: 5 });
  blocks.enable();
  await work();
  blocks.disable();
  return Math.max(0, blocks.max / 1e6 - 5);
}

const since = (start) => performance.now() - start;

async function measureOne(bundle) {
  const load = createRequire(import.meta.url);
  const { Catalog, connect, StdioTransport, filterItems, folderContents, listAll } = load(bundle);
  const env = { ITEMS: String(tools), RESOURCES: String(resources), PAGE: '1000' };
  const binding = {
    label: 'stdio',
    wire: 'pipe',
    eras: ['legacy'],
    connect: () =>
      new StdioTransport({
        command: process.execPath,
        args: [pathOf('../test/servers/probe.mjs')],
        env: { ...process.env, ...env },
      }),
  };
  const hello = {
    client: { name: 'bench', version: '1.0.0' },
    features: {},
    times: { idleMs: 60_000, totalMs: 600_000 },
    openMs: 30_000,
  };
  const signal = new AbortController().signal;
  const session = await connect([binding], hello, signal);
  const idleMs = await longestBlock(() => delay(1_000));
  const numbers = { idleMs };
  const catalog = new Catalog({ listAll });
  const sort = () => {
    const start = performance.now();
    folderContents(catalog.known('resources'), '');
    return since(start);
  };
  numbers.blockMs = await longestBlock(async () => {
    const start = performance.now();
    catalog.onDidChange(() => {
      if (catalog.known('resources').length > 0) {
        numbers.firstMs ??= since(start);
      }
    });
    catalog.attach(session, signal);
    await catalog.whenLoaded();
    numbers.allMs = since(start);
    numbers.foldersMs = sort();
    const filtering = performance.now();
    filterItems(catalog.items('resources'), 'ITEM-77 shelf');
    numbers.filterMs = since(filtering);
    const refreshing = performance.now();
    catalog.refresh();
    await catalog.whenSettled('resources');
    numbers.refreshMs = since(refreshing);
  });
  const counted = [catalog.items('resources').length, catalog.items('tools').length];
  if (counted[0] !== resources || counted[1] !== tools) {
    throw new Error(`${counted[0]} resources and ${counted[1]} tools`);
  }
  catalog.dispose();
  await session.close();
  process.stdout.write(JSON.stringify(numbers));
}

async function measureAll() {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-host-bench-'));
  try {
    const outfile = join(folder, 'catalog.cjs');
    await build({
      entryPoints: [pathOf('clients/catalog.mjs')],
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      // As esbuild.mjs does.
      define: { 'import.meta.filename': '__filename', 'import.meta.dirname': '__dirname' },
      logLevel: 'error',
      outfile,
    });
    const runs = [];
    for (let rep = 0; rep < Number(flags.reps); rep += 1) {
      const args = [fileURLToPath(import.meta.url), `--one=${outfile}`];
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
      runs.push(JSON.parse(stdout));
    }
    const text = [
      '# Very many resources',
      '',
      `${resources.toLocaleString('en-US')} resources and ${tools.toLocaleString('en-US')} tools over stdio, 1,000 a page; ${runs.length} runs on ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.`,
      '`npm run bench` makes this file. What the editor draws of it, `test/host/manyItems.test.ts` judges.',
      '',
      ...tableOf(rows, runs),
    ].join('\n');
    console.log(text);
    await writeFile(pathOf('resources.md'), text);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function tableOf(shown, runs) {
  return [
    '| | median | smallest | largest |',
    '|---|---|---|---|',
    ...shown.map(([key, title]) => {
      const values = runs.map((numbers) => numbers[key]);
      const cells = [median(values), Math.min(...values), Math.max(...values)];
      return `| ${title} | ${cells.map((value) => value.toFixed(0)).join(' | ')} |`;
    }),
    '',
  ];
}

await (flags.one === undefined ? measureAll() : measureOne(flags.one));
