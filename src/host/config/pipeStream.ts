/**
 * Reads a pipe that has a name in the file system, as managers of secrets make them. Files are read in a few threads that
 * all of a process share, and a pipe would keep one of them until somebody writes; the sockets of Node wait in none.
 */
import { readSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { delay, toError } from '../../base/async.ts';

/** Milliseconds between two looks for the end. */
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
 * The system does not tell everywhere that the last writer went: macOS is silent about it (kqueue). Reading does. Before
 * anybody has written, it means nothing: a writer may be still to come.
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

/** What there is to be read; null at the end, undefined while there is a writer who writes nothing. */
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
