// Compares this client with the official ones and with a raw one, on the same servers and in one run.
//   node run.mjs [--quick] [--gate] [--only=deep,big10] [--wires=stdio,json,sse] [--reps=7]
// Each measurement runs in a process of its own; clients take turns. A full run writes results.md.
// --quick: ours against raw alone, shorter. --gate: fails when a ratio misses its goal by half.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { lateBundles, lateModules, lateName } from '../scripts/support/lateModules.mjs';
import { Report } from './report.mjs';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    gate: { type: 'boolean', default: false },
    only: { type: 'string' },
    wires: { type: 'string' },
    reps: { type: 'string' },
  },
});

const run = promisify(execFile);
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const versionOf = (name) =>
  createRequire(import.meta.url)(pathOf(`../node_modules/${name}/package.json`)).version;
const limitMs = 120_000;

const clients = [
  { key: 'raw', title: 'raw', everyRun: true },
  { key: 'ours', title: 'ours', everyRun: true },
  { key: 'sdk1', title: `sdk ${versionOf('@modelcontextprotocol/sdk')}` },
  { key: 'sdk2', title: `client ${versionOf('@modelcontextprotocol/client')}` },
].filter(({ everyRun }) => everyRun || !flags.quick);

const all = [
  'connect',
  'sequential',
  'deep',
  'big1',
  'big10',
  'tools',
  'toolsWithOutput',
  'servers',
  'progress',
];
const quickOnHttp = new Set(['sequential', 'deep']);
const only = flags.only?.split(',');
const wires = flags.wires?.split(',') ?? ['stdio', 'json', 'sse'];
const reps = Number(flags.reps ?? (flags.quick ? 2 : 7));
const scale = flags.quick ? 0.3 : 1;

function measurementsOn(wire) {
  // The bundle is the same for all wires. JSON answers cannot carry progress.
  const possible = all.filter((name) => wire !== 'json' || name !== 'progress');
  const names =
    flags.quick && wire !== 'stdio' ? possible.filter((name) => quickOnHttp.has(name)) : possible;
  return [...(wire === 'stdio' ? ['load'] : []), ...names].filter(
    (name) => only === undefined || only.includes(name),
  );
}

async function bundle(client, folder) {
  const outdir = join(folder, client.key);
  const root = pathOf('..');
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: pathOf(`clients/${client.key}.mjs`), out: 'client' },
      // What ours loads only when it comes to that.
      ...(client.key === 'ours' ? lateModules : []).map((file) => ({
        in: file,
        out: lateName(file),
      })),
    ],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    // As esbuild.mjs does.
    define: { 'import.meta.filename': '__filename', 'import.meta.dirname': '__dirname' },
    supported: { 'dynamic-import': client.key !== 'ours' },
    plugins: client.key === 'ours' ? [lateBundles(root)] : [],
    external: client.key === 'ours' ? ['cross-spawn'] : [],
    outExtension: { '.js': '.cjs' },
    logLevel: 'error',
    outdir,
  });
  const outfile = join(outdir, 'client.cjs');
  return { ...client, outfile, bundleKb: (await stat(outfile)).size / 1000 };
}

async function measure(client, measurement, wire) {
  const args = [pathOf('measure.mjs'), client.outfile, measurement, wire, String(scale)];
  const { stdout } = await (onOneCore !== undefined && chains.has(measurement)
    ? run('taskset', ['-c', onOneCore, process.execPath, ...args], { timeout: limitMs })
    : run(process.execPath, args, { timeout: limitMs }));
  const numbers = JSON.parse(stdout);
  return measurement === 'load' ? { ...numbers, bundleKb: client.bundleKb } : numbers;
}

/**
 * One request after the other is a chain of two processes that never work at once. Where the system
 * puts them decides by a factor of four, so they are put on one core, where it is known how.
 */
const chains = new Set(['sequential', 'tools', 'toolsWithOutput']);

async function findCore() {
  const core = String(cpus().length - 1);
  try {
    await run('taskset', ['-c', core, process.execPath, '--version']);
    return core;
  } catch {
    return undefined;
  }
}

/** The official clients and HTTP are measured in every third run: the time goes to ours against raw. */
function turnsOf(bundled, rep) {
  const taking = bundled.filter(({ everyRun }) => everyRun || rep % 3 === 0);
  return taking.map((_, index) => taking[(index + rep) % taking.length]);
}

function turns(bundled, rep) {
  const measured = wires.filter((wire) => wire === 'stdio' || rep % 3 === 0);
  return measured.flatMap((wire) =>
    measurementsOn(wire).flatMap((measurement) =>
      turnsOf(bundled, rep).map((client) => ({ client, measurement, wire, rep })),
    ),
  );
}

async function measureAll(bundled) {
  const runs = [];
  const failures = [];
  for (let rep = 0; rep < reps; rep += 1) {
    for (const turn of turns(bundled, rep)) {
      const { client, measurement, wire } = turn;
      try {
        const numbers = await measure(client, measurement, wire);
        runs.push({ ...turn, client: client.key, numbers });
      } catch (error) {
        failures.push(`${client.key}, ${measurement} on ${wire}: ${error.message}`);
      }
    }
    console.error(`run ${rep + 1} of ${reps} done, ${Math.round(performance.now() / 1000)} s`);
  }
  return { runs, failures };
}

function machine() {
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${memoryGb} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

const onOneCore = await findCore();
const folder = await mkdtemp(join(tmpdir(), 'mcp-host-bench-'));
try {
  const bundled = await Promise.all(clients.map((client) => bundle(client, folder)));
  const { runs, failures } = await measureAll(bundled);
  const report = new Report(runs);
  const text = [
    '# Benchmark',
    '',
    `${machine()}. ${reps} runs, every measurement in a process of its own, the official clients and HTTP in every third run.`,
    'Cells: median; in bold the median ratio to raw in the same run; in brackets the smallest and the largest (raw: of the values).',
    onOneCore === undefined
      ? 'Sequential calls and lists: client and server where the system puts them.'
      : 'Sequential calls and lists: client and server on one core.',
    'raw is a minimal client without checks, limits or cancellation (`bench/clients/raw.mjs`). `npm run bench` makes this file.',
    '',
    report.goalsTable(),
    ...wires.map((wire) => report.table(wire, clients)),
    ...(failures.length === 0 ? [] : ['## Failed', '', ...failures.map((line) => `- ${line}`), '']),
  ].join('\n');
  console.log(text);
  if (!flags.quick && only === undefined && flags.wires === undefined) {
    await writeFile(pathOf('results.md'), text);
  }
  const isFar = report.judgedGoals().some((judged) => judged.isFar);
  process.exitCode = failures.length > 0 || (flags.gate && isFar) ? 1 : 0;
} finally {
  await rm(folder, { recursive: true });
}
