/**
 * A folder that the windows and processes of a profile share, and use to take turns. If it cannot be read or written,
 * each goes on alone: a full disk signs nobody out.
 */
import { randomUUID } from 'node:crypto';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { delay } from '../../base/async.ts';
import type { SharedPlace } from '../../mcp/auth/credentials.ts';

/** Milliseconds after which a turn ends in any case: a renewal takes two exchanges of 20 s. */
const longestTurnMs = 60_000;
/** Written to the file of a finished turn, in place of the process id. */
const over = 'over';
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
        try {
          await writeFile(part, text, { mode: 0o600 });
          await rename(part, file);
        } catch (error) {
          await rm(part, { force: true });
          throw error;
        }
      })(),
    );
  }

  async alone<T>(name: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = await this.#takeTurn(name, signal);
    try {
      return await task();
    } finally {
      if (turn !== undefined) {
        // A process that slept may have lost its turn.
        await this.#tried(writeFile(turn, over, { flag: 'r+' }), 'ENOENT');
      }
    }
  }

  /**
   * Turns are numbered files, and the newest counts. Only one process can create the next one. No process removes
   * another's file to take its turn: since the check, the file could belong to a new turn.
   * @returns the file of the turn; undefined where the folder cannot be used
   */
  async #takeTurn(name: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      await mkdir(this.#folder, { recursive: true });
      let seen: { readonly turn: number; readonly at: number } | undefined;
      for (;;) {
        const turn = Math.max(0, ...(await this.#turns(name)));
        if (seen?.turn !== turn) {
          // Not the clock of the disk or the system: that may be another machine's, and each may be set.
          seen = { turn, at: performance.now() };
        }
        const isFree =
          turn === 0 ||
          performance.now() - seen.at > this.#longestMs ||
          (await isOver(this.#turnFile(name, turn)));
        if (isFree && (await this.#isTaken(name, turn + 1))) {
          return this.#turnFile(name, turn + 1);
        }
        await delay(lookMs, signal);
      }
    } catch (error) {
      signal.throwIfAborted();
      this.#onFailure(error);
      return undefined;
    }
  }

  /** False where another process was first. */
  async #isTaken(name: string, turn: number): Promise<boolean> {
    if (!(await isCreated(this.#turnFile(name, turn), String(process.pid)))) {
      return false;
    }
    const all = await this.#turns(name);
    // A process that slept since its check may have created a number that is long over.
    const isNewest = Math.max(...all) === turn;
    const superseded = isNewest ? all.filter((one) => one < turn) : [turn];
    await Promise.all(
      superseded.map(async (one) => this.#tried(rm(this.#turnFile(name, one), { force: true }))),
    );
    return isNewest;
  }

  #turnFile(name: string, turn: number): string {
    return this.#file(`${name}.turn.${turn}`);
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

/** False where the file exists. */
async function isCreated(file: string, text: string): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
  try {
    await handle.writeFile(text);
    return true;
  } catch (error) {
    await rm(file, { force: true }); // our own, without its text: on a full disk
    throw error;
  } finally {
    await handle.close();
  }
}

/** Finished, or its process has died. */
async function isOver(turn: string): Promise<boolean> {
  try {
    const text = await readFile(turn, 'utf8');
    return text.startsWith(over) || (text !== '' && !isAlive(Number(text)));
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
