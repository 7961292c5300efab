/**
 * Reads files that entries name: variables, certificates, keys, tokens. An entry may name a file without end, such as
 * /dev/zero, or a pipe, and some files are read before anybody is asked.
 */
import { t } from '../../base/l10n.ts';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { delay, settlesWithin } from '../../base/async.ts';

/** The certificates of all authorities of a system take a quarter of it. */
const maxFileBytes = 1024 * 1024;

/** Milliseconds, long enough for a pipe whose writer asks the user first. */
const fileLimitMs = 60_000;

/** Opens a pipe at once, even if nobody writes to it. Windows has no such pipes and no such flag. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Milliseconds until a pipe is looked at again. */
const lookMs = 20;

const chunkBytes = 65_536;

/** What is known of a file while it is read. */
interface Reading {
  isTooLate: boolean;
  isPipe: boolean;
  size: number;
}

/**
 * @param limitMs for open and read together; tests set it
 * @returns the text, as UTF-8. Rejects with Node's error, with `EFBIG` for a file that is too large, with `ETIMEDOUT`
 * for one that does not end
 */
export async function readTextFile(path: string, limitMs = fileLimitMs): Promise<string> {
  return (await readBytes(path, limitMs)).toString('utf8');
}

/** The SHA-256 of its bytes, in hexadecimal. Rejects as {@link readTextFile}. */
export async function digestOfFile(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readBytes(path, fileLimitMs))
    .digest('hex');
}

async function readBytes(path: string, limitMs: number): Promise<Buffer> {
  const reading = { isTooLate: false, isPipe: false, size: 0 };
  const bytes = read(path, reading);
  if (await settlesWithin(bytes, limitMs)) {
    return bytes;
  }
  bytes.catch(() => undefined); // that it was too late is said below
  reading.isTooLate = true;
  const message =
    reading.isPipe && reading.size === 0
      ? t('nothing was written to this pipe for {0} s', limitMs / 1000)
      : t('it does not end within {0} s', limitMs / 1000);
  throw Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

async function read(path: string, reading: Reading): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const file = await open(path, withoutWaiting);
  try {
    reading.isPipe = (await file.stat()).isFIFO();
    while (!reading.isTooLate) {
      const chunk = await readNow(file);
      if (chunk === undefined || (chunk.length === 0 && reading.isPipe && reading.size === 0)) {
        await delay(lookMs); // before anybody has written, an end means nothing
      } else if (chunk.length === 0) {
        break;
      } else {
        chunks.push(chunk);
        reading.size += chunk.length;
      }
      if (reading.size > maxFileBytes) {
        throw Object.assign(new Error(t('larger than 1 MiB')), { code: 'EFBIG' });
      }
    }
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

/** The bytes there are; none at the end, undefined while a writer has the pipe open without writing. */
async function readNow(file: FileHandle): Promise<Buffer | undefined> {
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') {
      return undefined;
    }
    throw error;
  }
}
