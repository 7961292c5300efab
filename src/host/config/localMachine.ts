/** The machine that the extension host runs on, and with it the servers. */
import { constants, createReadStream } from 'node:fs';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { settlesWithin } from '../../base/async.ts';
import { isObject } from '../../base/json.ts';
import type { Machine } from './launchContext.ts';

/** A login shell that takes longer than this has its PATH done without, in milliseconds. */
export const shellLimitMs = 10_000;

/** The environment of the login shell. It is ended when the signal aborts. */
type AskShell = (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;

/**
 * @param askShell another one in tests
 * @param limitMs for its answer; another one in tests
 */
export function localMachine(askShell: AskShell = loginShell, limitMs = shellLimitMs): Machine {
  let asked: Promise<string | undefined> | undefined;
  return {
    platform: process.platform === 'win32' ? 'win32' : 'posix',
    userHome: homedir(),
    env: process.env,
    readFile,
    programs: {
      isProgram,
      isFolder,
      shellPath: () => (asked ??= pathOf(askShell, limitMs)),
    },
  };
}

/** Certificates of all authorities of a system are a quarter of it. */
const maxFileBytes = 1024 * 1024;

/** Milliseconds for a pipe, whose other end may ask the user first. */
const fileLimitMs = 60_000;

/** An entry may name what has no end, such as /dev/zero, or a pipe; and it is read before anybody is asked. */
async function readFile(path: string): Promise<string> {
  const reading = readAtMost(path);
  if (await settlesWithin(reading, fileLimitMs)) {
    return reading;
  }
  reading.catch(() => undefined);
  throw Object.assign(new Error(`no end after ${fileLimitMs / 1000} s`), { code: 'ETIMEDOUT' });
}

async function readAtMost(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path, { end: maxFileBytes })) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.byteLength;
  }
  if (size > maxFileBytes) {
    throw Object.assign(new Error('larger than 1 MiB'), { code: 'EFBIG' });
  }
  return Buffer.concat(chunks).toString('utf8');
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
    asking.catch(() => undefined);
    tooLate.abort();
    return undefined;
  } catch {
    // A shell that fails has no PATH to offer; the error of the start says what was searched.
    return undefined;
  }
}

/** Stands in the command that the package gives to a shell, and in no other. */
const shellMark = '_SHELL_ENV_DELIMITER_';

/** The package ends no shell, and asks other ones when the first fails: whatever it has started ends with the signal. */
async function loginShell(signal: AbortSignal): ReturnType<AskShell> {
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
        whenAborted(signal, () => child.kill('SIGKILL'));
      }
    });
  };
  subscribe('child_process', onProcess);
  try {
    return await shellEnv();
  } finally {
    unsubscribe('child_process', onProcess);
  }
}

function whenAborted(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) {
    run();
  } else {
    signal.addEventListener('abort', run, { once: true });
  }
}
