/** Files that entries name: read as far as texts go, and let go of in any case. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { digestOfFile, readTextFile } from '../../../../src/host/config/textFile.ts';
import { itOnPosix } from '../../../support/platform.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

describe('readTextFile', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'texts-'));
  });

  after(() => rm(folder, { recursive: true }));

  it('SEC-01: a digest tells files apart that differ in bytes that are no text', async () => {
    const digests = await Promise.all(
      [0x90, 0xcc].map(async (byte) => {
        const file = path.join(folder, `program-${byte}`);
        await writeFile(file, Buffer.from([0x7f, byte, 0xc3]));
        return digestOfFile(file);
      }),
    );
    assert.notEqual(digests[0], digests[1]);
  });

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

  itOnPosix('reads a pipe whose writer comes late, and writes slowly', async () => {
    const pipe = makePipe('late');
    const reading = readTextFile(pipe);
    const writer = spawn('/bin/sh', [
      '-c',
      'sleep 0.2; exec > "$0"; printf A=; sleep 0.2; printf 1',
      pipe,
    ]);
    const [text, exit] = await Promise.all([reading, once(writer, 'exit')]);
    assert.equal(text, 'A=1');
    assert.deepEqual(exit, [0, null]);
  });

  itOnPosix('reads as much of a pipe as of a file, and what is written once alone', async () => {
    const pipe = makePipe('much');
    const large = 'x'.repeat(1024 * 1024);
    for (const text of [large, 'A=1\n']) {
      const [read] = await Promise.all([readTextFile(pipe), writeFile(pipe, text)]);
      assert.equal(read, text);
    }
    await Promise.all([
      assert.rejects(readTextFile(pipe), { code: 'EFBIG' }),
      assert.rejects(writeFile(pipe, `${large}${large}`), { code: 'EPIPE' }),
    ]);
  });

  itOnPosix('gives up pipes that nobody writes to, and reads files meanwhile', async () => {
    const pipes = Array.from({ length: 8 }, (_, at) => makePipe(`silent${at}`));
    const reading = pipes.map((pipe) =>
      assert.rejects(readTextFile(pipe, 2_000), {
        code: 'ETIMEDOUT',
        message: 'nothing was written to this pipe for 2 s',
      }),
    );
    let isOver = false;
    const all = Promise.all(reading).then(() => (isOver = true));
    const file = path.join(folder, 'plain.txt');
    await writeFile(file, 'A=1');
    assert.equal(await readTextFile(file), 'A=1');
    assert.equal(isOver, false, 'before the limit');
    await all;
    for (const pipe of pipes) {
      await waitUntil('nobody to read it', () => openedForWriting(pipe) === -1);
    }
  });

  itOnPosix('lets go of a pipe that does not end in time', async () => {
    const pipe = makePipe('endless');
    const reading = assert.rejects(readTextFile(pipe, 200), {
      code: 'ETIMEDOUT',
      message: 'it does not end within 0.2 s',
    });
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

  function makePipe(name: string): string {
    const pipe = path.join(folder, name);
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', pipe]);
    return pipe;
  }
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
