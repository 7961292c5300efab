/**
 * What the login shell of the user, of whatever kind it is, has for PATH. It is asked in a process of our own, which
 * leads a group: whatever the shell's files start can be found when it takes too long, or when this process is gone.
 * An answer in time ends nothing that they started: it may be meant to stay.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { onAbort } from '../../base/async.ts';
import { ownProcessOptions } from '../../mcp/ownProcess.ts';
import type { ProcessTrees } from '../processTrees.ts';

/** The program: the bundle that this file is part of, or a source file. */
const program = import.meta.filename.endsWith('.cjs')
  ? import.meta.filename
  : path.join(import.meta.dirname, '../../entries/servers.ts');

/** The argument that the process is started with, so that the program knows that it is to ask. */
export const loginShellMark = 'mcp-host-login-shell';

/** PATH, if the shell has one. Whatever was started for the answer ends when the signal aborts. */
export type AskShell = (signal: AbortSignal) => Promise<string | undefined>;

/**
 * @param treesOf loaded when it comes to that
 * @param shell another one than the user's, in tests
 * @returns what rejects when the shell fails
 */
export function loginShell(treesOf: () => ProcessTrees, shell?: string): AskShell {
  return async (signal) => {
    if (process.platform === 'win32') {
      return undefined; // there the environment is the same for all
    }
    const trees = treesOf();
    trees.prepare();
    const child = spawn(
      process.execPath,
      [program, loginShellMark, ...(shell === undefined ? [] : [shell])],
      { ...ownProcessOptions(), env: shellEnvironment(), stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const { pid } = child;
    const answer = new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      text(child.stdout).then(resolve, reject);
    });
    if (pid === undefined) {
      return answer;
    }
    trees.watch(pid);
    const abortion = onAbort(signal, () => void trees.endTree(pid));
    child.once('exit', () => {
      abortion.dispose();
      if (!signal.aborted) {
        trees.release(pid);
      }
    });
    return (await answer) || undefined;
  };
}

/**
 * All that this process has, as a terminal of it would get it, but for what is Node's own, and for `_`: some shells
 * hand on in it what the package told them to print last, which it then takes for the end of the answer.
 */
function shellEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, _: undefined, NODE_OPTIONS: undefined, ELECTRON_RUN_AS_NODE: '1' };
}

/** What runs in the process: writes the answer to its output. */
export async function tellLoginShell(shell: string | undefined): Promise<void> {
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const { shellEnv } = await import('shell-env');
  const { PATH = '' } = await shellEnv(shell);
  process.stdout.write(PATH);
}
