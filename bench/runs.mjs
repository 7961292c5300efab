// Runs one measurement in a process of its own, where the system allows it on a core that is chosen.
import { execFile } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const program = fileURLToPath(new URL('measure.mjs', import.meta.url));
const limitMs = 120_000;

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

export const onOneCore = await findCore();

/**
 * @param client of bundles.mjs
 * @param place `stdio`, `json`, `sse`, `ws`, for the era of 2026-07-28 with `-2026`
 * @param scale of the work, 1 for all of it
 * @param profileFile takes a profile of the part whose time is taken
 * @returns its numbers by name
 */
export async function measure(client, measurement, place, scale, profileFile) {
  const file = place.startsWith('ws') ? client.webSocketFile : client.file;
  const args = [program, file, measurement, place, String(scale)];
  if (profileFile !== undefined) {
    args.push(profileFile);
  }
  const isChain = onOneCore !== undefined && chains.has(measurement);
  const numbers = isChain
    ? await numbersOf('taskset', ['-c', onOneCore, process.execPath, ...args])
    : await numbersOf(process.execPath, args);
  return measurement === 'load' ? { ...numbers, bundleKb: client.bundleKb } : numbers;
}

/** A process that has told its numbers and then does not end, as one in thousands did, has measured all the same. */
async function numbersOf(command, args) {
  try {
    const { stdout } = await run(command, args, { timeout: limitMs });
    return JSON.parse(stdout);
  } catch (error) {
    if (error.killed === true && error.stdout !== '') {
      return JSON.parse(error.stdout);
    }
    throw error;
  }
}
