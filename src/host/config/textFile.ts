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

/** Rejects with the error of Node, with `EFBIG` for what is too large, with `ETIMEDOUT` for what does not end. */
export async function readTextFile(path: string): Promise<string> {
  const reading = readAtMost(path);
  if (await settlesWithin(reading, fileLimitMs)) {
    return reading;
  }
  reading.catch(() => undefined);
  throw Object.assign(new Error(`no end after ${fileLimitMs / 1000} s`), { code: 'ETIMEDOUT' });
}

async function readAtMost(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path, { end: maxFileBytes })) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.byteLength;
  }
  if (size > maxFileBytes) {
    throw Object.assign(new Error('larger than 1 MiB'), { code: 'EFBIG' });
  }
  return Buffer.concat(chunks).toString('utf8');
}
