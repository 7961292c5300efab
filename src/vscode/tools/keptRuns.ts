/** The files of the last runs of tools. Older ones go: a document that is still open keeps its text. */

const maxRuns = 50;
/** Of the files of all runs; those of the last one are kept in any case. */
const maxBytes = 256 * 1024 * 1024;

export interface KeptFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface Run<F> {
  readonly files: ReadonlyMap<string, F>;
  readonly bytes: number;
}

export class KeptRuns<F extends KeptFile> {
  readonly #runs = new Map<number, Run<F>>();
  #nextRun = 1;
  #bytes = 0;

  /** @returns the number of the run, which is never used again */
  add(files: readonly F[]): number {
    const run = this.#nextRun++;
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    this.#runs.set(run, { files: new Map(files.map((file) => [file.name, file])), bytes });
    this.#bytes += bytes;
    for (const [oldest, old] of this.#runs) {
      if (oldest === run || (this.#runs.size <= maxRuns && this.#bytes <= maxBytes)) {
        break;
      }
      this.#runs.delete(oldest);
      this.#bytes -= old.bytes;
    }
    return run;
  }

  /** Undefined when the run is gone or never was. */
  file(run: number, name: string): F | undefined {
    return this.#runs.get(run)?.files.get(name);
  }
}
