/** The files of the last tool runs. Older ones are dropped: a document that is still open keeps its text. */
import type { HeldMemory, MemoryAccount } from '../../base/memory.ts';

const maxRuns = 50;

export interface KeptFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface Run<F> {
  readonly files: ReadonlyMap<string, F>;
  readonly held: HeldMemory;
  /** False: the memory had no room for the run, and the next run removes it. */
  isCounted: boolean;
}

export class KeptRuns<F extends KeptFile> {
  readonly #memory: MemoryAccount;
  readonly #runs = new Map<number, Run<F>>();
  #nextRun = 1;

  /** @param memory of all runs: kept runs displace other data in it */
  constructor(memory: MemoryAccount) {
    this.#memory = memory;
  }

  /** Keeps the run whatever its size: it is about to be shown. @returns its number, which is never used again */
  add(files: readonly F[]): number {
    const number = this.#nextRun++;
    const held = this.#memory.hold(() => this.#onDropped(number));
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    const isCounted = held.set(bytes);
    this.#runs.set(number, {
      files: new Map(files.map((file) => [file.name, file])),
      held,
      isCounted,
    });
    for (const [old, run] of this.#runs) {
      if (old !== number && (this.#runs.size > maxRuns || !run.isCounted)) {
        run.held.set(0);
        this.#runs.delete(old);
      }
    }
    return number;
  }

  /** Undefined when the run was dropped, or never existed. */
  file(run: number, name: string): F | undefined {
    return this.#runs.get(run)?.files.get(name);
  }

  #onDropped(number: number): void {
    const run = this.#runs.get(number);
    if (run !== undefined && number === this.#nextRun - 1) {
      run.isCounted = false;
    } else {
      this.#runs.delete(number);
    }
  }
}
