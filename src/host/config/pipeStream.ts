/**
 * Reads a named pipe, as secret managers make them. Node reads files in a few threads that the whole process shares,
 * and a pipe would block one of them until somebody writes; Node's sockets block none.
 */
import { readSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { delay, toError } from '../../base/async.ts';

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
