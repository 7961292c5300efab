// bubblewrap, which `"sandbox"` of a server needs on Linux: one that is installed, else that of apt-get.
import { Failure, step } from '../support/output.mjs';
import { run } from '../support/processes.mjs';
import { canInstall, installPackages } from './debian.mjs';

/** @throws {Failure} with one sentence that says what to install, or what the machine forbids */
export async function provisionSandbox() {
  if (process.platform !== 'linux') return;
  let { code, output } = await tried();
  if (code === 127 && canInstall()) {
    await step('Installing bubblewrap', (note) => installPackages(note, 'bubblewrap'));
    ({ code, output } = await tried());
  }
  if (code === 127) {
    throw new Failure('There is no bubblewrap: install the package `bubblewrap`.');
  }
  if (code !== 0) {
    throw new Failure(`bubblewrap does not run here, a container may forbid it: ${output.trim()}`);
  }
}

/** Whether it is there, and may make namespaces. */
function tried() {
  return run('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--', 'true']);
}
