/**
 * Reads PATH from the user's login shell, of any kind. A process of our own asks the shell and leads a process group,
 * so that everything the shell's files start can be found when it takes too long or when this process is gone. After an
 * answer in time nothing is ended: those processes may be meant to stay.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { onAbort } from '../../base/async.ts';
import { ownProcessOptions, type ProcessTrees } from '../../mcp/ownProcess.ts';

/** The file to run: the bundle that this file is part of, or a source file. */
const program = import.meta.filename.endsWith('.cjs')
  ? import.meta.filename
  : path.join(import.meta.dirname, '../../entries/servers.ts');

/** The argument that tells the process to ask the shell. */
export const loginShellMark = 'mcp-host-login-shell';

/** PATH, if the shell has one. When the signal aborts, everything started for the answer ends. */
export type AskShell = (signal: AbortSignal) => Promise<string | undefined>;

/**
 * @param treesOf called only when needed
 * @param shell tests set it; the user's otherwise
 * @returns a function that rejects when the shell fails
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
 * This process' environment, as its terminal would get it, without Node's own variables and without `_`: some shells
 * pass on in it the marker that the package makes them print last, and the package then reads it as the end of the
 * answer.
 */
function shellEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, _: undefined, NODE_OPTIONS: undefined, ELECTRON_RUN_AS_NODE: '1' };
}

/** Runs in the child process: writes the answer to stdout. */
export async function tellLoginShell(shell: string | undefined): Promise<void> {
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const { shellEnv } = await import('shell-env');
  const { PATH = '' } = await shellEnv(shell);
  process.stdout.write(PATH);
}
