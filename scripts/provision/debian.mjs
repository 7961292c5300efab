// What Debian and its kin install by apt-get. Each of these waits for another apt-get that is at work.
import { existsSync } from 'node:fs';
import { run } from '../support/processes.mjs';

/** Whether packages can be installed without asking anybody. */
export function canInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** @param note gets the last line of a failure; whether it worked is seen by looking for what was to come */
export async function installPackages(note, ...packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = ['-o', 'Acquire::Retries=3', '-o', 'DPkg::Lock::Timeout=300'];
  const apt = (...args) => run('apt-get', [...options, ...args], { env, timeoutMs: 15 * 60_000 });
  await apt('update');
  const { code, output } = await apt('install', '-y', '--no-install-recommends', ...packages);
  if (code !== 0) note(`apt-get could not install it: ${lastLine(output)}`);
}

export function lastLine(text) {
  return text.trim().split('\n').at(-1) ?? '';
}
