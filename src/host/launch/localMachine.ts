/** The machine of the extension host, where the servers run, too, and the PATH of the login shell there. */
import { constants } from 'node:fs';
import { access, lstat, readlink, realpath, stat } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { systemClock } from '../../base/clock.ts';
import { onAbort, settlesWithin } from '../../base/async.ts';
import type { Machine } from './launchContext.ts';
import { digestOfFile, readTextFile } from '../config/textFile.ts';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ownProcessOptions, type ProcessTrees } from '../../mcp/ownProcess.ts';
import { isFile } from '../../mcp/windowsPrograms.ts';

/** Milliseconds for the login shell; after that, its PATH is not used. */
export const shellLimitMs = 10_000;

/** Milliseconds in which the shell is not asked again, whatever is missing: servers start together. */
export const shellKeptMs = 10_000;

/**
 * @param limitMs for the answer of the shell; tests set it
 * @param clock tests set it
 */
export function localMachine(
  askShell: AskShell,
  limitMs = shellLimitMs,
  clock = systemClock,
): Machine {
  let asked: Promise<string | undefined> | undefined;
  let askedAt = 0;
  const ask = (before?: string): Promise<string | undefined> => {
    askedAt = clock.now();
    asked = pathOf(askShell, limitMs).then((path) => path ?? before);
    return asked;
  };
  return {
    platform: process.platform === 'win32' ? 'win32' : 'posix',
    userHome: homedir(),
    env: process.env,
    readFile: readTextFile,
    digest: digestOfFile,
    programs: {
      isProgram: whileAsked(async (file) => (await isExecutable(file)) && (await isFile(file))),
      isFolder: async (path) => (await orElse(stat(path), undefined))?.isDirectory() === true,
      isFile: async (path) => (await orElse(lstat(path), undefined))?.isFile() === true,
      linkAt: whileAsked(linkAt),
      realPath: whileAsked((path) => orElse(realpath(path), undefined)),
      shellPath: () => asked ?? ask(),
      newShellPath: async () => {
        const before = await asked; // a shell that failed would take its time again
        return before !== undefined && clock.now() - askedAt >= shellKeptMs ? ask(before) : asked;
      },
    },
  };
}

function isExecutable(file: string): Promise<boolean> {
  return orElse(
    access(file, constants.X_OK).then(() => true),
    false,
  );
}

/** Servers that start together ask the same of the disk: one question at a time is asked about a path. */
function whileAsked<T>(ask: (path: string) => Promise<T>): (path: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (path) => {
    const answer = asked.get(path) ?? ask(path).finally(() => asked.delete(path));
    asked.set(path, answer);
    return answer;
  };
}

/** Most paths are none: an error for each would take its time. */
async function linkAt(path: string): Promise<string | undefined> {
  const isLink = (await orElse(lstat(path), undefined))?.isSymbolicLink() === true;
  return isLink ? orElse(readlink(path), undefined) : undefined;
}

/** The value of a promise, or another where it rejects. */
async function orElse<T, U>(promise: Promise<T>, other: U): Promise<T | U> {
  try {
    return await promise;
  } catch {
    return other;
  }
}

async function pathOf(askShell: AskShell, limitMs: number): Promise<string | undefined> {
  const tooLate = new AbortController();
  // A shell that fails gives no PATH; the error of the start says what was searched.
  const asking = orElse(askShell(tooLate.signal), undefined);
  if (await settlesWithin(asking, limitMs)) {
    return asking;
  }
  tooLate.abort();
  return undefined;
}

/** PATH, if the shell has one. When the signal aborts, there is none, and everything started for the answer ends. */
export type AskShell = (signal: AbortSignal) => Promise<string | undefined>;

/**
 * @param treesOf called only when needed
 * @param shell tests set it; the user's otherwise
 */
export function loginShell(treesOf: () => ProcessTrees, shell?: string): AskShell {
  return async (signal) => {
    if (process.platform === 'win32') {
      return undefined; // there the environment is the same for all
    }
    // The user's own may not be a POSIX shell.
    for (const one of shell === undefined ? [userShell(), '/bin/zsh', '/bin/bash'] : [shell]) {
      const path = await orElse(askedFor(one, treesOf(), signal), undefined);
      if (path !== undefined || signal.aborted) {
        return path;
      }
    }
    return undefined;
  };
}

/** @param look tests set it */
export function userShell(
  look: () => { readonly shell: string | null } = userInfo,
  env = process.env,
): string {
  let shell: string | null = null;
  try {
    shell = look().shell;
  } catch {
    // In a container, the user may have no name.
  }
  return shell || env['SHELL'] || '/bin/sh';
}

/** The shell prints this before and after PATH: its files may print, too. */
const mark = '_MCP_HOST_PATH_';
const question = `printf %s ${mark}; command printenv PATH; printf %s ${mark}; exit`;

/** What a shell's files must not do for a question. */
const quiet = {
  // Oh My Zsh asks whether it may update itself.
  DISABLE_AUTO_UPDATE: 'true',
  ZSH_TMUX_AUTOSTARTED: 'true',
  ZSH_TMUX_AUTOSTART: 'false',
  ELECTRON_RUN_AS_NODE: undefined,
  NODE_OPTIONS: undefined,
};

async function askedFor(
  shell: string,
  trees: ProcessTrees,
  signal: AbortSignal,
): Promise<string | undefined> {
  trees.prepare();
  const child = spawn(shell, ['-ilc', question], {
    ...ownProcessOptions(),
    env: { ...process.env, ...quiet },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { pid } = child;
  const answer = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    text(child.stdout).then(resolve, reject);
  });
  if (pid !== undefined) {
    trees.watch(pid);
    const abortion = onAbort(signal, () => void trees.endTree(pid));
    child.once('exit', () => {
      abortion.dispose();
      if (!signal.aborted) {
        trees.release(pid);
      }
    });
  }
  const [, path = ''] = (await answer).split(mark);
  // A shell whose child ends first goes on with its files, and may still answer.
  return signal.aborted || path.trim() === '' ? undefined : path.trim();
}
