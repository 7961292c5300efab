// Where things lie in this clone. Plain Node 20, nothing installed: every script may import it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const isWindows = process.platform === 'win32';

/** Editors and browsers that were fetched for tests and the demo. Ignored by git, safe to delete. */
export const cache = path.join(root, '.vscode-test');

/** Logs, screenshots and counts of the last run. */
export const results = path.join(root, 'test-results');

export const nodeModules = path.join(root, 'node_modules');

/** Node 24 from the devDependency `node`; scripts that come before `npm ci` run on the system's Node. */
export const localNode = path.join(nodeModules, 'node', 'bin', isWindows ? 'node.exe' : 'node');

/** @returns {{ name: string, version: string, publisher: string, displayName: string }} */
export function manifest() {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
}

/** The built VSIX; its name carries the version. */
export function vsixPath() {
  const { name, version } = manifest();
  return path.join(root, `${name}-${version}.vsix`);
}
