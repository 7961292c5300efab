// Numbers from the extension host of a real editor: runs one test of test/host there and reads what its title says.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns what the program prints. @throws when it fails */
async function output(...args) {
  const { stdout } = await run(process.execPath, args, { cwd: root });
  return stdout;
}

/** What is packed, and the host tests. */
export async function buildForEditor() {
  await output('esbuild.mjs', '--production');
  await output('esbuild.mjs', '--tests');
}

/**
 * @param title of one test, a part of it
 * @param pattern with the flag `g`, of what the title says
 * @returns the match of each window, of `reps` windows
 */
export async function readFromEditor(title, reps, pattern) {
  const how = ['--no-build', '--grep', title, '--repeat', String(reps)];
  const printed = await output('test/run/hostWeb.mjs', ...how);
  const found = [...printed.matchAll(pattern)];
  if (found.length !== reps) {
    throw new Error(`Only ${found.length} of ${reps} windows told their numbers:\n${printed}`);
  }
  return found;
}
