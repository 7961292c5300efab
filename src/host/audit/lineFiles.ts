/**
 * Lines in numbered files. Whole lines are appended, so that several windows can write to the same file; a full file is
 * followed by the next, and the oldest are deleted. Nobody waits for it.
 */
import { appendFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterInBackground } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';

export interface LineFileLimits {
  readonly fileBytes: number;
  /** Of a full file and those before it. */
  readonly totalBytes: number;
  /** Lines that wait for the disk; further ones are lost. */
  readonly pendingLines: number;
}

interface LineFileParts {
  /** Of the machine that the extension runs on; all windows share it. */
  readonly folder: string;
  /** What the name of a new file begins with: letters, and a date if each day has files of its own. */
  readonly stem: () => string;
  readonly limits: LineFileLimits;
  /** Whether a file is deleted although there is room. */
  readonly isOld?: (file: string) => boolean;
  /** The line that says how many lines are missing. Ends with a line feed. */
  readonly lostLine: (count: number) => string;
  /** Called once, until writing works again. */
  readonly onFailure: (error: unknown) => void;
}

const fileName = /^[a-z]+(?:-\d{4}-\d{2}-\d{2})?-(\d{6})\.jsonl$/u;
/** Node writes so much at once, which keeps the lines of several windows whole. */
const maxWriteBytes = 500_000;
/** The lines of so many milliseconds are written at once. A process that is killed loses no more. */
const gatherMs = 100;

export class LineFiles {
  readonly #parts: LineFileParts;
  #pending: string[] = [];
  #lost = 0;
  #gathering: Disposable | undefined;
  #writing: Promise<void> | undefined;
  #isFailing = false;
  /** The name of the file that was written last. */
  #file: string | undefined;

  constructor(parts: LineFileParts) {
    this.#parts = parts;
  }

  /** Returns at once and never throws. @param line ends with a line feed; made only when there is room for it */
  add(line: () => string): void {
    if (this.#pending.length >= this.#parts.limits.pendingLines) {
      this.lose();
      return;
    }
    this.#pending.push(line());
    if (this.#pending.length * 2 > this.#parts.limits.pendingLines) {
      this.#writeNow();
    } else if (this.#writing === undefined) {
      this.#gathering ??= afterInBackground(gatherMs, () => this.#writeNow());
    }
  }

  /** Leaves out a line: the next one says so. */
  lose(): void {
    this.#lost += 1;
  }

  /** Resolves when all lines so far are written, or have failed. */
  async flush(): Promise<void> {
    this.#writeNow();
    await this.#writing;
  }

  /** The names of the files, oldest first. */
  async files(): Promise<readonly string[]> {
    const names = await readdir(this.#parts.folder).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        return [];
      }
      throw error;
    });
    return names.filter((name) => fileName.test(name)).toSorted();
  }

  pathOf(file: string): string {
    return path.join(this.#parts.folder, file);
  }

  /** Deletes all files, in whatever window they are written. */
  async clear(): Promise<void> {
    await this.flush();
    await this.#remove(await this.files());
  }

  #writeNow(): void {
    this.#gathering?.dispose();
    this.#gathering = undefined;
    if (this.#pending.length > 0) {
      this.#writing ??= this.#writeAll();
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const lines = this.#takeLines();
      const lost = this.#lost;
      this.#lost = 0;
      try {
        await this.#write(lines.join('') + (lost === 0 ? '' : this.#parts.lostLine(lost)));
        this.#isFailing = false;
      } catch (error) {
        this.#lost += lost + lines.length;
        if (!this.#isFailing) {
          this.#isFailing = true;
          this.#parts.onFailure(error);
        }
      }
    }
    this.#writing = undefined;
  }

  /** As many as one write takes, and one at least. */
  #takeLines(): readonly string[] {
    let bytes = 0;
    const end = this.#pending.findIndex((line) => {
      const isFirst = bytes === 0;
      bytes += Buffer.byteLength(line);
      return !isFirst && bytes > maxWriteBytes;
    });
    return this.#pending.splice(0, end === -1 ? this.#pending.length : end);
  }

  async #write(text: string): Promise<void> {
    let end = this.#file === undefined ? undefined : await this.#endOf(this.#file);
    if (this.#file === undefined || end === undefined) {
      this.#file = await this.#nextFile();
      end = await this.#endOf(this.#file);
    }
    // After a line that broke off, the next one begins on its own.
    const whole = end === 'inLine' ? `\n${text}` : text;
    // Other users must not read it.
    await appendFile(this.pathOf(this.#file), whole, { mode: 0o600 });
  }

  /**
   * Where the next line would be added. Undefined for a file that takes none: it is full, of an earlier day, or gone,
   * since another window may have removed it as the oldest.
   */
  async #endOf(file: string): Promise<'afterLine' | 'inLine' | undefined> {
    const { limits, stem } = this.#parts;
    if (!file.startsWith(`${stem()}-`)) {
      return undefined;
    }
    const handle = await open(this.pathOf(file), 'r').catch(() => undefined);
    try {
      const size = (await handle?.stat())?.size ?? Infinity;
      if (handle === undefined || size >= limits.fileBytes) {
        return undefined;
      }
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
      return bytesRead === 0 || buffer.toString('latin1') === '\n' ? 'afterLine' : 'inLine';
    } finally {
      await handle?.close();
    }
  }

  /** The newest file if it has room, else one after it, for which the oldest ones go. */
  async #nextFile(): Promise<string> {
    const { folder, limits, stem, isOld = () => false } = this.#parts;
    await mkdir(folder, { recursive: true });
    const all = await this.files();
    await this.#remove(all.filter(isOld));
    const files = all.filter((file) => !isOld(file));
    const newest = files.at(-1);
    if (newest !== undefined && (await this.#endOf(newest)) !== undefined) {
      return newest;
    }
    await this.#remove(await this.#beyond(files, limits.totalBytes - limits.fileBytes));
    const number = Number(fileName.exec(all.at(-1) ?? '')?.[1] ?? 0) + 1;
    return `${stem()}-${String(number).padStart(6, '0')}.jsonl`;
  }

  /** The oldest files, without which the others have no more than so many bytes. */
  async #beyond(files: readonly string[], maxBytes: number): Promise<readonly string[]> {
    let bytes = 0;
    const kept = new Set<string>();
    for (const file of files.toReversed()) {
      bytes += (await stat(this.pathOf(file)).catch(() => undefined))?.size ?? 0;
      if (bytes > maxBytes) {
        break;
      }
      kept.add(file);
    }
    return files.filter((file) => !kept.has(file));
  }

  async #remove(files: readonly string[]): Promise<void> {
    for (const file of files) {
      await rm(this.pathOf(file), { force: true });
    }
  }
}
