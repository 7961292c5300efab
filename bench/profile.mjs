// Where the time of a client goes in a measurement: a profile of its process, summed up by what was at work.
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundles.mjs';
import { measure } from './runs.mjs';

const ownFolder = fileURLToPath(new URL('.', import.meta.url));
const shown = 12;

/** @param measurement, place as runs.mjs has them. @returns lines of a list, the largest part first. */
export async function whereTimeGoes(client, measurement, place) {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-host-bench-'));
  try {
    const readable = await bundle(client, folder, { minify: false });
    const flags = ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${folder}`];
    await measure(readable, measurement, place, 1, flags);
    const name = (await readdir(folder)).find((file) => file.endsWith('.cpuprofile'));
    return linesOf(JSON.parse(await readFile(join(folder, name), 'utf8')));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function linesOf({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, labelOf(node.callFrame)]));
  const spent = new Map();
  let total = 0;
  samples.forEach((id, index) => {
    const label = byId.get(id);
    if (label !== undefined) {
      total += timeDeltas[index];
      spent.set(label, (spent.get(label) ?? 0) + timeDeltas[index]);
    }
  });
  return [...spent]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, shown)
    .map(([label, time]) => `- ${((time / total) * 100).toFixed(1)} % ${label}`);
}

/** Undefined for time in which nothing was done, or the benchmark itself was at work. */
function labelOf({ functionName, url }) {
  if (functionName === '(idle)' || url.startsWith('file://') || url.startsWith(ownFolder)) {
    return undefined;
  }
  if (url.startsWith('node:')) {
    return `Node, \`${functionName || 'callbacks'}\` in \`${url.slice(5)}\``;
  }
  if (url === '') {
    return `Node, \`${functionName.replaceAll(/[()]/gu, '')}\``;
  }
  return `ours, \`${functionName === '' ? 'callbacks' : functionName}\``;
}
