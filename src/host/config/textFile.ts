/**
 * Reads the files that entries name: variables, certificates, keys, tokens. An entry may name what has no end, such
 * as /dev/zero, or a pipe; some of it is read before anybody is asked.
 */
import { createReadStream } from 'node:fs';
import { settlesWithin } from '../../base/async.ts';

/** Certificates of all authorities of a system are a quarter of it. */
const maxFileBytes = 1024 * 1024;

/** Milliseconds for a pipe, whose other end may ask the user first. */
const fileLimitMs = 60_000;

/**
 * @param limitMs for all of it; another one in tests
 * @returns the text, as UTF-8. Rejects with the error of Node, with `EFBIG` for what is too large, with `ETIMEDOUT` for
 *   what does not end
 */
export async function readTextFile(path: string, limitMs = fileLimitMs): Promise<string> {
  const tooLate = new AbortController();
  const reading = readAtMost(path, tooLate.signal);
  if (await settlesWithin(reading, limitMs)) {
    return reading;
  }
  tooLate.abort();
  reading.catch(() => undefined); // that it was too late is said below
  throw Object.assign(new Error(`no end after ${limitMs / 1000} s`), { code: 'ETIMEDOUT' });
}

async function readAtMost(path: string, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path, { end: maxFileBytes, signal })) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.byteLength;
  }
  if (size > maxFileBytes) {
    throw Object.assign(new Error('larger than 1 MiB'), { code: 'EFBIG' });
  }
  return Buffer.concat(chunks).toString('utf8');
}
