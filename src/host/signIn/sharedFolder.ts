/**
 * A folder in which the windows and processes of a profile meet, and take turns. Where it cannot be read or written,
 * everybody goes on alone: a full disk signs nobody out.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
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
    const turn = await this.#takeTurn(name, signal);
    try {
      return await task();
    } finally {
      if (turn !== undefined) {
        await this.#tried(utimes(turn, 0, 0), 'ENOENT'); // who has slept over it may have lost it
      }
    }
  }

  /** @returns the file of the turn, which lasts until the file is old; undefined where the folder cannot be used */
  async #takeTurn(name: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      await mkdir(this.#folder, { recursive: true });
      for (;;) {
        const turn = await this.#nextTurn(name);
        if (turn !== undefined) {
          return turn;
        }
        await delay(lookMs, signal);
      }
    } catch (error) {
      signal.throwIfAborted();
      this.#onFailure(error);
      return undefined;
    }
  }

  /**
   * Turns are numbered files, of which the newest counts. Only one can create the next. Nobody removes a file to have its
   * turn: it could be another one by then than the one that was looked at.
   * @returns undefined while another has the turn
   */
  async #nextTurn(name: string): Promise<string | undefined> {
    const fileOf = (turn: number): string => this.#file(`${name}.turn.${turn}`);
    const last = Math.max(0, ...(await this.#turns(name)));
    const next = last + 1;
    if (
      (last > 0 && !(await isOver(fileOf(last)))) ||
      !(await isCreated(fileOf(next), String(process.pid)))
    ) {
      return undefined;
    }
    const all = await this.#turns(name);
    const isNewest = Math.max(...all) === next;
    // Who has slept since it looked may have created one of long ago.
    const superseded = isNewest ? all.filter((turn) => turn < next) : [next];
    await Promise.all(
      superseded.map(async (turn) => this.#tried(rm(fileOf(turn), { force: true }))),
    );
    return isNewest ? fileOf(next) : undefined;
  }

  async #turns(name: string): Promise<readonly number[]> {
    const start = `${name}.turn.`;
    const files = await readdir(this.#folder);
    return files
      .filter((file) => file.startsWith(start))
      .map((file) => Number(file.slice(start.length)));
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

/** Given back, its process has died, or it is older than any turn. */
async function isOver(turn: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(turn);
    const pid = await readFile(turn, 'utf8');
    const ageMs = Math.abs(Date.now() - mtimeMs); // the clock may have been set back
    return ageMs > longestTurnMs || (pid !== '' && !isAlive(Number(pid)));
  } catch {
    return false; // there is a newer one
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
