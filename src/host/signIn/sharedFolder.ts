/**
 * A folder that the windows and processes of a profile share, and use to take turns. If it cannot be read or written,
 * each goes on alone: a full disk signs nobody out.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { delay } from '../../base/async.ts';
import type { SharedPlace } from '../../mcp/auth/credentials.ts';

/** Milliseconds after which a turn ends in any case: a renewal takes two exchanges of 20 s. */
const longestTurnMs = 60_000;
/** Milliseconds between two checks of another process' turn. */
const lookMs = 50;

export class SharedFolder implements SharedPlace {
  readonly #folder: string;
  readonly #onFailure: (error: unknown) => void;
  readonly #longestMs: number;

  /** @param onFailure called with errors of the folder */
  constructor(folder: string, onFailure: (error: unknown) => void, longestMs = longestTurnMs) {
    this.#folder = folder;
    this.#onFailure = onFailure;
    this.#longestMs = longestMs;
  }

  async read(name: string): Promise<string | undefined> {
    return this.#tried(readFile(this.#file(name), 'utf8'), 'ENOENT');
  }

  async write(name: string, text: string): Promise<void> {
    const file = this.#file(name);
    const part = `${file}.${randomUUID()}.part`;
    await this.#tried(
      (async () => {
        await mkdir(this.#folder, { recursive: true });
        await writeFile(part, text, { mode: 0o600 });
        await rename(part, file);
      })(),
    );
  }

  async alone<T>(name: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const lock = this.#file(`${name}.lock`);
    const own = `${process.pid} ${randomUUID()}`;
    const isLocked = await this.#lock(lock, own, signal);
    try {
      return await task();
    } finally {
      // A process that slept may have lost its turn.
      if (isLocked && (await textOf(lock)) === own) {
        await this.#tried(rm(lock, { force: true }));
      }
    }
  }

  /** False where the folder cannot be used. */
  async #lock(lock: string, own: string, signal: AbortSignal): Promise<boolean> {
    try {
      await mkdir(this.#folder, { recursive: true });
      let seen: { readonly text: string; readonly at: number } | undefined;
      while (!(await isCreated(lock, own))) {
        const text = await textOf(lock);
        if (seen?.text !== text) {
          // Not the clock of the disk or the system: that may be another machine's, and each may be set.
          seen = { text, at: performance.now() };
        }
        if (hasDied(text) || performance.now() - seen.at > this.#longestMs) {
          await rm(lock, { force: true });
        } else {
          await delay(lookMs, signal);
        }
      }
      return true;
    } catch (error) {
      signal.throwIfAborted();
      this.#onFailure(error);
      return false;
    }
  }

  #file(name: string): string {
    return path.join(this.#folder, name);
  }

  async #tried<T>(work: Promise<T>, expected?: string): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      if (expected === undefined || codeOf(error) !== expected) {
        this.#onFailure(error);
      }
      return undefined;
    }
  }
}

/** False where the file exists. */
async function isCreated(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

/** Empty for a file that is gone, or not written yet. */
async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** Whether the process that took the turn has. */
function hasDied(text: string): boolean {
  return text !== '' && !isAlive(Number.parseInt(text, 10));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM'; // of somebody else
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
