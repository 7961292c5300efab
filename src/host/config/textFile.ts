/**
 * Reads files that entries name: variables, certificates, keys, tokens. An entry may name a file without end, such as
 * /dev/zero, or a pipe, and some files are read before anybody is asked.
 */
import { close, constants, createReadStream, fstat, open, readSync } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { delay, settlesWithin, toError } from '../../base/async.ts';
import { Socket } from 'node:net';

/** The certificates of all authorities of a system take a quarter of it. */
const maxFileBytes = 1024 * 1024;

/** Milliseconds, long enough for a pipe whose writer asks the user first. */
const fileLimitMs = 60_000;

/** Opens a pipe at once, even if nobody writes to it. Windows has no such pipes and no such flag. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * @param limitMs for open and read together; tests set it
 * @returns the text, as UTF-8. Rejects with Node's error, with `EFBIG` for a file that is too large, with `ETIMEDOUT`
 * for one that does not end
 */
export async function readTextFile(path: string, limitMs = fileLimitMs): Promise<string> {
  const reading = new Reading();
  const text = reading.run(path);
  if (await settlesWithin(text, limitMs)) {
    return text;
  }
  text.catch(() => undefined); // that it was too late is said below
  const message = reading.isUnwrittenPipe
    ? `nothing was written to this pipe for ${limitMs / 1000} s`
    : `it does not end within ${limitMs / 1000} s`;
  reading.giveUp();
  throw Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

class Reading {
  readonly #tooLate = new AbortController();
  #isPipe = false;
  #size = 0;

  get isUnwrittenPipe(): boolean {
    return this.#isPipe && this.#size === 0;
  }

  async run(path: string): Promise<string> {
    const chunks: Buffer[] = [];
    const stream = await this.#open(path);
    for await (const chunk of addAbortSignal(this.#tooLate.signal, stream)) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      this.#size += bytes.byteLength;
      if (this.#size > maxFileBytes) {
        throw Object.assign(new Error('larger than 1 MiB'), { code: 'EFBIG' });
      }
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  giveUp(): void {
    this.#tooLate.abort();
  }

  /** The stream always closes the file handle. */
  async #open(path: string): Promise<Readable> {
    const fd = await promisify(open)(path, withoutWaiting);
    try {
      this.#isPipe = (await promisify(fstat)(fd)).isFIFO();
      return this.#isPipe ? pipeStream(fd) : createReadStream(path, { fd, end: maxFileBytes });
    } catch (error) {
      close(fd);
      throw error;
    }
  }
}

/** Milliseconds between two checks for the end. */
const lookMs = 20;

const chunkBytes = 65_536;

/**
 * @param fd open for reading, without blocking; the stream closes it
 */
export function pipeStream(fd: number): Readable {
  const pipe = new Socket({ fd, readable: true, writable: false });
  lookForEnd(pipe, fd).catch((error: unknown) => pipe.destroy(toError(error)));
  return pipe;
}

/**
 * Not every system reports that the last writer has closed: macOS (kqueue) does not. A read shows it. Before anybody
 * has written, an end means nothing: the writer may be still to come.
 */
async function lookForEnd(pipe: Socket, fd: number): Promise<void> {
  for (;;) {
    await delay(lookMs);
    if (pipe.destroyed || pipe.readableEnded) {
      return;
    }
    if (pipe.bytesRead > 0) {
      const chunk = readNow(fd);
      if (chunk !== undefined) {
        pipe.push(chunk);
      }
    }
  }
}

/** The bytes there are; null at the end, undefined while a writer has the pipe open without writing. */
function readNow(fd: number): Buffer | null | undefined {
  const buffer = Buffer.alloc(chunkBytes);
  try {
    const size = readSync(fd, buffer);
    return size === 0 ? null : buffer.subarray(0, size);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') {
      return undefined;
    }
    throw error;
  }
}
