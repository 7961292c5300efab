// Installs what package-lock.json names, when it is not there yet. Runs on the system's Node with nothing installed.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure, step } from '../support/output.mjs';
import { npm, run } from '../support/processes.mjs';
import { localNode, nodeModules, root } from '../support/project.mjs';

const lockFile = path.join(root, 'package-lock.json');
/** npm writes it at the very end of an installation, so a broken one has none. */
const npmRecord = path.join(nodeModules, '.package-lock.json');
/** Of which lock file node_modules was made; kept because a checkout changes a file's time and not its text. */
const ownRecord = path.join(nodeModules, '.installed-lock');

export async function provisionDependencies() {
  if (!isInstalled()) {
    refuseLink();
    await step('Installing the dependencies (npm ci)', () =>
      npm(
        'Installing the dependencies',
        ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=5'],
        { cwd: root },
      ),
    );
    writeFileSync(ownRecord, lockHash());
  }
  if (!(await hasNode())) {
    refuseLink();
    // Install scripts are switched off on some machines; the package `node` needs its own.
    await step('Fetching Node 24', () =>
      npm('Fetching Node 24', ['rebuild', 'node', '--ignore-scripts=false'], { cwd: root }),
    );
    if (!(await hasNode())) {
      throw new Failure(
        'Node 24 did not arrive with the dependencies: install Node 24 and run this command with it, or allow the install script of the package "node".',
      );
    }
  }
}

/** npm would replace what the link leads to, which belongs to another clone. */
function refuseLink() {
  if (lstatSync(nodeModules, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new Failure(
      'node_modules is a link, and what it leads to is not what package-lock.json names: run "npm ci" where it leads to, or remove the link and run this command again.',
    );
  }
}

function isInstalled() {
  if (!existsSync(npmRecord)) return false;
  if (statSync(npmRecord).mtimeMs >= statSync(lockFile).mtimeMs) return true;
  return existsSync(ownRecord) && readFileSync(ownRecord, 'utf8') === lockHash();
}

function lockHash() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex');
}

async function hasNode() {
  if (!existsSync(localNode)) return false;
  const { code, output } = await run(localNode, ['--version'], { timeoutMs: 30_000 });
  return code === 0 && output.startsWith('v24.');
}
