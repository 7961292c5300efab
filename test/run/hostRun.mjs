// What the two launchers of the host tests share: the build, the workspace and the output.
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { step } from '../../scripts/support/output.mjs';
import { must, projectEnv } from '../../scripts/support/processes.mjs';
import { localNode, root } from '../../scripts/support/project.mjs';

export function buildForHostTests() {
  return step('Building the extension and the host tests', async () => {
    const options = { env: projectEnv() };
    await must('Building the extension', localNode, ['esbuild.mjs'], options);
    await must('Building the host tests', localNode, ['esbuild.mjs', '--tests'], options);
  });
}

/** A copy of test/workspace for one run. */
export async function copyWorkspace(folder) {
  const workspace = path.join(folder, 'workspace');
  await cp(path.join(root, 'test/workspace'), workspace, { recursive: true });
  return workspace;
}

/** A workspace file beside that copy, with its folder and another, empty one. */
export async function workspaceFile(folder) {
  await mkdir(path.join(folder, 'second'), { recursive: true });
  const file = path.join(folder, 'tests.code-workspace');
  const folders = [{ path: 'workspace' }, { path: 'second' }];
  await writeFile(file, `${JSON.stringify({ folders })}\n`);
  return file;
}

/** Prints a growing file as it grows. The returned function prints the rest and stops. */
export function followFile(file) {
  let printed = 0;
  const more = async () => {
    if (!existsSync(file)) return;
    const text = await readFile(file, 'utf8');
    if (text.length > printed) process.stdout.write(text.slice(printed));
    printed = Math.max(printed, text.length);
  };
  const timer = setInterval(() => void more().catch(() => {}), 1000);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await more();
  };
}
