// Where the time of a client goes in a measurement: profiles of raw and ours, summed up by what was at work, side by side.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundles.mjs';
import { measure } from './runs.mjs';

const ownFolder = new URL('.', import.meta.url).href;
const shown = 15;
const own = 'the client’s own code';

/** @param clients raw and ours. @returns lines of a table, what ours spends most on beyond raw first. */
export async function whereTimeGoes(clients, measurement, place) {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-host-bench-'));
  try {
    const spent = [];
    for (const client of clients) {
      const readable = await bundle(client, folder, { minify: false });
      const file = join(folder, `${client.key}.cpuprofile`);
      await measure(readable, measurement, place, 1, file);
      spent.push(spentIn(JSON.parse(await readFile(file, 'utf8'))));
    }
    return tableOf(...spent);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function tableOf(raw, ours) {
  const beyond = (label) => (ours.get(label) ?? 0) - (raw.get(label) ?? 0);
  const labels = [...new Set([...raw.keys(), ...ours.keys()])]
    .filter((label) => beyond(label) > 0)
    .toSorted((one, other) => beyond(other) - beyond(one))
    .slice(0, shown);
  return [
    '| ms | raw | ours |',
    '|---|---|---|',
    row('in all', sum(raw), sum(ours)),
    row(`${own}, in all`, sumOfOwn(raw), sumOfOwn(ours)),
    ...labels.map((label) => row(label, raw.get(label) ?? 0, ours.get(label) ?? 0)),
  ];
}

const sum = (spent) => [...spent.values()].reduce((all, ms) => all + ms, 0);
const sumOfOwn = (spent) => sum(new Map([...spent].filter(([label]) => isOwn(label))));
const row = (label, one, other) => `| ${label} | ${one.toFixed(1)} | ${other.toFixed(1)} |`;
const isOwn = (label) => label.startsWith(own);

/** Milliseconds by what was at work. */
function spentIn({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, labelOf(node.callFrame)]));
  const spent = new Map();
  samples.forEach((id, index) => {
    const label = byId.get(id);
    if (label !== undefined) {
      spent.set(label, (spent.get(label) ?? 0) + timeDeltas[index] / 1_000);
    }
  });
  return spent;
}

/** Undefined for time in which nothing was done, or the benchmark itself was at work. */
function labelOf({ functionName, url }) {
  const isOfBenchmark = url.startsWith(ownFolder) || url === 'node:inspector';
  if (functionName === '(idle)' || isOfBenchmark) {
    return undefined;
  }
  if (url.startsWith('node:')) {
    return `Node, \`${functionName || 'callbacks'}\` in \`${url.slice(5)}\``;
  }
  if (url === '') {
    return `Node, \`${functionName.replaceAll(/[()]/gu, '') || 'native code'}\``;
  }
  return `${own}, \`${functionName === '' ? 'callbacks' : functionName}\``;
}
