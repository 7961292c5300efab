/** Files that entries name: read as far as texts go, and let go of in any case. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readTextFile } from '../../../../src/host/config/textFile.ts';
import { itOnPosix } from '../../../support/platform.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

describe('readTextFile', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'texts-'));
  });

  after(() => rm(folder, { recursive: true }));

  it('reads files that are as large as texts are, and no others', async () => {
    const file = path.join(folder, 'large.txt');
    await writeFile(file, 'ä'.repeat(512 * 1024));
    assert.equal((await readTextFile(file)).length, 512 * 1024);
    await writeFile(file, 'ä'.repeat(512 * 1024 + 1));
    await assert.rejects(readTextFile(file), { code: 'EFBIG' });
    await assert.rejects(readTextFile(folder), { code: 'EISDIR' });
    await assert.rejects(readTextFile(path.join(folder, 'none')), { code: 'ENOENT' });
  });

  itOnPosix('reads no more of a device without end', async () => {
    await assert.rejects(readTextFile('/dev/zero'), { code: 'EFBIG' });
  });

  itOnPosix('lets go of a pipe that does not end in time', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', pipe]);
    const reading = assert.rejects(readTextFile(pipe, 200), { code: 'ETIMEDOUT' });
    let writer = -1;
    await waitUntil('the reader', () => {
      writer = openedForWriting(pipe);
      return writer !== -1;
    });
    try {
      writeSync(writer, 'A=1\n');
      await reading;
      await waitUntil('nobody to read it', () => !isWritable(writer));
    } finally {
      closeSync(writer);
    }
  });
});

/** -1 while nobody has it open for reading. */
function openedForWriting(pipe: string): number {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return -1;
  }
}

/** Not any more when nobody has the other end. */
function isWritable(pipe: number): boolean {
  try {
    return writeSync(pipe, 'B=2\n') > 0;
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error);
    assert.equal(error.code, 'EPIPE');
    return false;
  }
}
