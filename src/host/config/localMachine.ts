/** The machine that the extension host runs on, and with it the servers. */
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { settlesWithin } from '../../base/async.ts';
import type { Machine } from './launchContext.ts';

/** A login shell that takes longer than this has its PATH done without, in milliseconds. */
export const shellLimitMs = 10_000;

/**
 * @param askShell the environment of the login shell; another one in tests
 * @param limitMs for its answer; another one in tests
 */
export function localMachine(
  askShell: () => Promise<Readonly<Record<string, string>>> = loginShell,
  limitMs = shellLimitMs,
): Machine {
  let asked: Promise<string | undefined> | undefined;
  return {
    platform: process.platform === 'win32' ? 'win32' : 'posix',
    userHome: homedir(),
    env: process.env,
    readFile: (path) => readFile(path, 'utf8'),
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

async function pathOf(
  askShell: () => Promise<Readonly<Record<string, string>>>,
  limitMs: number,
): Promise<string | undefined> {
  try {
    const asking = askShell();
    return (await settlesWithin(asking, limitMs)) ? (await asking)['PATH'] : undefined;
  } catch {
    // A shell that fails has no PATH to offer; the error of the start says what was searched.
    return undefined;
  }
}

async function loginShell(): Promise<Readonly<Record<string, string>>> {
  const { shellEnv } = await import('shell-env');
  return shellEnv();
}
