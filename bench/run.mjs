// Compares this client with the official ones and with a raw one, on the same servers and in one run.
//   node run.mjs [--quick] [--only=deep,activation] [--wires=stdio,json,ws,stdio-2026,editor] [--reps=13] [--profile]
// Each measurement runs in a process of its own; clients take turns. A full run writes results.md, and has the
// activation in a real editor in it. --quick: ours against raw alone, shorter, without an editor.
// --profile: of each missed goal, as a full run does.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureActivation } from './activation.mjs';
import { bundle, clients as allClients, measures, speaks } from './bundles.mjs';
import { buildForEditor } from './hostTests.mjs';
import { goals, inEditor } from './goals.mjs';
import { whereTimeGoes } from './profile.mjs';
import { Report } from './report.mjs';
import { measure, onOneCore } from './runs.mjs';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    only: { type: 'string' },
    wires: { type: 'string' },
    reps: { type: 'string' },
  },
});

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const compared = ['raw', 'ours'];
const clients = allClients.filter(({ key }) => !flags.quick || compared.includes(key));
const only = flags.only?.split(',');
const wires = flags.wires?.split(',') ?? [
  'stdio',
  'json',
  'sse',
  'ws',
  'stdio-2026',
  'json-2026',
  'sse-2026',
  'ws-2026',
  ...(flags.quick ? [] : ['editor']),
];
const reps = Number(flags.reps ?? (flags.quick ? 2 : 13));
const windows = 10;
const scale = flags.quick ? 0.3 : 1;
const isFull = !flags.quick && only === undefined && flags.wires === undefined;
/** The time goes to what has goals: all other rows are measured in every sixth run. */
const isRareRun = (rep) => rep % 6 === 0;
const judged = new Set(goals.map(({ row }) => row));

const inOneEra = ['connect', 'sequential', 'deep', 'tools', 'servers', 'progress'];
const inBothEras = [...inOneEra, 'big1', 'big10', 'toolsWithOutput', 'servers200'];

function measurementsOn(place) {
  if (place === 'editor') {
    return []; // no client's matter
  }
  const names = place.endsWith('-2026') ? inOneEra : inBothEras;
  return [
    // The bundle is the same everywhere.
    ...(place === 'stdio' ? ['load'] : []),
    // JSON answers cannot carry progress.
    ...names.filter((name) => name !== 'progress' || !place.startsWith('json')),
  ].filter((name) => only === undefined || only.includes(name));
}

function turnsOf(bundled, rep) {
  return wires.flatMap((place) =>
    measurementsOn(place).flatMap((measurement) => {
      const isDue = isRareRun(rep) || judged.has(`${measurement} ${place}`);
      const taking = bundled.filter(
        (client) => isDue && speaks(client, place) && measures(client, measurement),
      );
      return taking.map((_, index) => ({
        client: taking[(index + rep) % taking.length],
        measurement,
        wire: place,
        rep,
      }));
    }),
  );
}

async function measureAll(bundled) {
  const runs = [];
  const failures = [];
  for (let rep = 0; rep < reps; rep += 1) {
    for (const turn of turnsOf(bundled, rep)) {
      const { client, measurement, wire } = turn;
      try {
        const numbers = await measure(client, measurement, wire, scale);
        runs.push({ ...turn, client: client.key, numbers });
      } catch (error) {
        failures.push(`${client.key}, ${measurement} on ${wire}: ${error.message}`);
      }
    }
    console.error(`run ${rep + 1} of ${reps} done, ${Math.round(performance.now() / 1000)} s`);
  }
  return { runs, failures };
}

/** Each window as a run of ours. */
async function activations() {
  if (!wires.includes('editor') || only?.includes('activation') === false) {
    return [];
  }
  await buildForEditor();
  const measured = await measureActivation(windows);
  const [measurement, wire] = inEditor.split(' ');
  return measured.map((numbers, rep) => ({ client: 'ours', measurement, wire, rep, numbers }));
}

/** Of each row with a missed goal, as a section of the report. */
async function profiles(report) {
  const rows = new Set(
    report
      .judgedGoals()
      // Of the activation its parts are measured; memory shows in no profile, and is in the rows of its time.
      .flatMap(({ goal, isMet }) => (isMet || goal.row === inEditor ? [] : [goal.row])),
  );
  const pair = compared.map((wanted) => allClients.find(({ key }) => key === wanted));
  const sections = [];
  for (const row of rows) {
    const [measurement, place] = row.split(' ');
    const lines = await whereTimeGoes(pair, measurement, place);
    sections.push(`### ${measurement} on ${place}`, '', ...lines, '');
  }
  return rows.size === 0
    ? []
    : [
        '## Where the time goes',
        '',
        'Profiles of raw and of ours for each measurement with a missed goal, of the thread that runs the code and without the waiting; first what ours spends most on beyond raw. A profile slows both down.',
        '',
        ...sections,
      ];
}

function columnsOf(place) {
  return clients.filter((client) =>
    place === 'editor' ? client.key === 'ours' : speaks(client, place),
  );
}

function machine() {
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${memoryGb} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

const folder = await mkdtemp(join(tmpdir(), 'mcp-host-bench-'));
try {
  const bundled = await Promise.all(clients.map((client) => bundle(client, folder)));
  const { runs, failures } = await measureAll(bundled);
  const report = new Report([...runs, ...(await activations())]);
  const others = clients.filter(({ key }) => !compared.includes(key));
  const text = [
    '# Benchmark',
    '',
    `${machine()}. ${reps} runs, every measurement in a process of its own; what has no goal in every sixth run; ${windows} windows of an editor.`,
    'Cells: median; in bold the median ratio to raw in the same run; in brackets the smallest and the largest (raw: of the values). A client without a column cannot.',
    onOneCore === undefined
      ? 'Sequential calls and lists: client and server where the system puts them.'
      : 'Sequential calls and lists: client and server on one core.',
    'CPU and memory: of the client and its process, without the servers. Loading: without a cache of compiled code.',
    'raw is a minimal client without checks, limits or cancellation (`bench/clients/raw.mjs`); it sends and parses the same bytes. `npm run bench` makes this file.',
    '',
    report.goalsTable(others),
    ...(isFull || flags.profile ? await profiles(report) : []),
    ...wires.map((wire) => report.table(wire, columnsOf(wire))),
    ...(failures.length === 0 ? [] : ['## Failed', '', ...failures.map((line) => `- ${line}`), '']),
  ].join('\n');
  console.log(text);
  if (isFull) {
    await writeFile(pathOf('results.md'), text);
  }
  process.exitCode = failures.length > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true });
}
