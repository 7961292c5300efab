/** The machine of the extension host, where the servers run, too. */
import { constants } from 'node:fs';
import { access, lstat, readlink, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { settlesWithin } from '../../base/async.ts';
import type { Machine } from './launchContext.ts';
import type { AskShell } from './loginShell.ts';
import { readTextFile } from '../config/textFile.ts';

/** Milliseconds for the login shell; after that, its PATH is not used. */
export const shellLimitMs = 10_000;

/** @param limitMs for the answer of the shell; tests set it */
export function localMachine(askShell: AskShell, limitMs = shellLimitMs): Machine {
  let asked: Promise<string | undefined> | undefined;
  return {
    platform: process.platform === 'win32' ? 'win32' : 'posix',
    userHome: homedir(),
    env: process.env,
    readFile: readTextFile,
    programs: {
      isProgram,
      isFolder,
      isFile,
      linkAt,
      realPath,
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

async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch {
    return false;
  }
}

async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch {
    return undefined;
  }
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}

async function pathOf(askShell: AskShell, limitMs: number): Promise<string | undefined> {
  const tooLate = new AbortController();
  try {
    const asking = askShell(tooLate.signal);
    if (await settlesWithin(asking, limitMs)) {
      return await asking;
    }
    tooLate.abort();
    asking.catch(() => undefined); // it was ended
    return undefined;
  } catch {
    // A shell that fails gives no PATH; the error of the start says what was searched.
    return undefined;
  }
}
