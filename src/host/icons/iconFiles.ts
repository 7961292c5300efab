/**
 * Icons as files of a folder that outlive the window: named by the hash of their source, limited in number, size and
 * age. Fetches nothing.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { IconExtension } from './iconImage.ts';

export interface IconLimits {
  readonly files: number;
  readonly bytes: number;
  readonly ageMs: number;
}

const iconLimits: IconLimits = {
  files: 1_000,
  bytes: 16 * 1024 * 1024,
  ageMs: 7 * 24 * 60 * 60 * 1000,
};

export class IconFiles {
  readonly #folder: string;
  readonly #limits: IconLimits;
  /** Key → path. */
  readonly #files = new Map<string, string>();
  #bytes = 0;
  #opened: Promise<void> | undefined;

  constructor(folder: string, limits = iconLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** The file of an icon that was stored before. */
  async find(src: string): Promise<string | undefined> {
    await this.#open();
    return this.#files.get(keyOf(src));
  }

  /** The new file; undefined when the folder is full, until the next start frees room. */
  async keep(
    src: string,
    bytes: Uint8Array,
    extension: IconExtension,
  ): Promise<string | undefined> {
    await this.#open();
    const isFull =
      this.#files.size >= this.#limits.files || this.#bytes + bytes.byteLength > this.#limits.bytes;
    if (isFull) {
      return undefined;
    }
    const key = keyOf(src);
    const file = path.join(this.#folder, `${key}.${extension}`);
    this.#bytes += bytes.byteLength; // at once: others are written at the same time
    await mkdir(this.#folder, { recursive: true });
    // Written atomically: another window may read it at this moment.
    const part = `${file}.${process.pid}.part`;
    await writeFile(part, bytes);
    await rename(part, file);
    this.#files.set(key, file);
    return file;
  }

  #open(): Promise<void> {
    this.#opened ??= this.#tidy();
    return this.#opened;
  }

  /** Reads the folder, and deletes files that are too old, and the oldest where more than half is used. */
  async #tidy(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const found = await Promise.all(names.map((name) => this.#look(name)));
    const newestFirst = found
      .filter((one) => one !== undefined)
      .toSorted((one, other) => other.modified - one.modified);
    const oldest = Date.now() - this.#limits.ageMs;
    for (const { key, file, bytes, modified } of newestFirst) {
      const isKept =
        key !== undefined &&
        modified > oldest &&
        this.#files.size < this.#limits.files / 2 &&
        this.#bytes + bytes <= this.#limits.bytes / 2;
      if (isKept) {
        this.#files.set(key, file);
        this.#bytes += bytes;
      } else {
        await rm(file, { force: true }).catch(() => undefined); // another window may have done so
      }
    }
  }

  async #look(name: string): Promise<Found | undefined> {
    const file = path.join(this.#folder, name);
    const key = /^([0-9a-f]{64})\.(?:png|jpg|webp|svg)$/u.exec(name)?.[1];
    try {
      const { size, mtimeMs } = await stat(file);
      return { key, file, bytes: size, modified: mtimeMs };
    } catch {
      return undefined;
    }
  }
}

interface Found {
  /** Undefined for a file that was not written completely. */
  readonly key: string | undefined;
  readonly file: string;
  readonly bytes: number;
  readonly modified: number;
}

function keyOf(src: string): string {
  return createHash('sha256').update(src).digest('hex');
}
