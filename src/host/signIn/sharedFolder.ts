/**
 * A folder in which the windows and processes of a profile meet, and take turns. Where it cannot be read or written,
 * everybody goes on alone: a full disk signs nobody out.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { delay } from '../../base/async.ts';
import type { SharedPlace } from '../../mcp/auth/credentials.ts';

/** Milliseconds after which a turn is over, whatever became of whoever has it: a renewal takes two exchanges of 20 s. */
const longestTurnMs = 60_000;
/** Milliseconds between two looks at a turn that somebody else has. */
const lookMs = 50;

export class SharedFolder implements SharedPlace {
  readonly #folder: string;
  readonly #onFailure: (error: unknown) => void;

  /** @param onFailure called with what keeps the folder from being used */
  constructor(folder: string, onFailure: (error: unknown) => void) {
    this.#folder = folder;
    this.#onFailure = onFailure;
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
    const release = await this.#takeTurn(`${this.#file(name)}.lock`, signal);
    try {
      return await task();
    } finally {
      await release();
    }
  }

  /** @returns gives the turn back */
  async #takeTurn(lock: string, signal: AbortSignal): Promise<() => Promise<void>> {
    const own = `${process.pid} ${randomUUID()}`;
    try {
      await mkdir(this.#folder, { recursive: true });
      while (!(await isCreated(lock, own))) {
        if (await isAbandoned(lock)) {
          await rm(lock, { force: true });
        } else {
          await delay(lookMs, signal);
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      this.#onFailure(error);
    }
    return async () => {
      // Who has slept over it may have lost it to another.
      if ((await this.#tried(readFile(lock, 'utf8'), 'ENOENT')) === own) {
        await this.#tried(rm(lock, { force: true }));
      }
    };
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

/** False where it is there already. */
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

/** Its process has died, or it is older than any turn. */
async function isAbandoned(lock: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(lock);
    const [pid] = (await readFile(lock, 'utf8')).split(' ');
    return Date.now() - mtimeMs > longestTurnMs || (pid !== '' && !isAlive(Number(pid)));
  } catch {
    return false; // given back at this moment
  }
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
