/** The machine that the extension host runs on, and with it the servers. */
import { constants } from 'node:fs';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { onAbort, settlesWithin } from '../../base/async.ts';
import { isObject } from '../../base/json.ts';
import type { Machine } from './launchContext.ts';
import { readTextFile } from './textFile.ts';

/** A login shell that takes longer than this has its PATH done without, in milliseconds. */
export const shellLimitMs = 10_000;

/** The environment of the login shell. It is ended when the signal aborts. */
type AskShell = (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;

/**
 * @param askShell another one in tests
 * @param limitMs for its answer; another one in tests
 */
export function localMachine(
  askShell: AskShell = (signal) => loginShell(signal),
  limitMs = shellLimitMs,
): Machine {
  let asked: Promise<string | undefined> | undefined;
  return {
    platform: process.platform === 'win32' ? 'win32' : 'posix',
    userHome: homedir(),
    env: process.env,
    readFile: readTextFile,
    programs: {
      isProgram,
      isFolder,
      shellPath: () => (asked ??= pathOf(askShell, limitMs)),
    },
  };
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

async function pathOf(askShell: AskShell, limitMs: number): Promise<string | undefined> {
  const tooLate = new AbortController();
  try {
    const asking = askShell(tooLate.signal);
    if (await settlesWithin(asking, limitMs)) {
      return (await asking)['PATH'];
    }
    tooLate.abort();
    asking.catch(() => undefined); // it was ended
    return undefined;
  } catch {
    // A shell that fails has no PATH to offer; the error of the start says what was searched.
    return undefined;
  }
}

/** Stands in the command that the package gives to a shell, and in no other. */
const shellMark = '_SHELL_ENV_DELIMITER_';

/**
 * The package ends no shell, and asks other ones when the first fails: whatever it has started ends with the signal.
 * @param shell another one than the user's, in tests
 */
export async function loginShell(signal: AbortSignal, shell?: string): ReturnType<AskShell> {
  const [{ shellEnv }, { ChildProcess }] = await Promise.all([
    import('shell-env'),
    import('node:child_process'),
  ]);
  const onProcess = (message: unknown): void => {
    const child: unknown = isObject(message) ? message['process'] : undefined;
    if (!(child instanceof ChildProcess)) {
      return;
    }
    child.once('spawn', () => {
      if (child.spawnargs.some((argument) => argument.includes(shellMark))) {
        onAbort(signal, () => child.kill('SIGKILL'));
      }
    });
  };
  subscribe('child_process', onProcess);
  try {
    return await shellEnv(shell);
  } finally {
    unsubscribe('child_process', onProcess);
  }
}
