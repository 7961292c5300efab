import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { readText } from '../../../../src/mcp/transport/http/httpBody.ts';
import { defaultHttpLimits } from '../../../../src/mcp/transport/limits.ts';
import { MessageLines } from '../../../../src/mcp/transport/stdio/outputLines.ts';
import { ChunkBuffer } from '../../../../src/mcp/transport/chunkBuffer.ts';
import { inUse, megabyte } from '../../../support/memoryInUse.ts';

/** Bytes; as objects of their own they would take a hundred times as much. */
const many = 300_000;
const few = 8 * megabyte;

describe('ChunkBuffer', () => {
  it('gives back what was added, in order, and begins anew', () => {
    for (const count of [0, 1, 2, 1_023, 1_024, 1_025, 3_000]) {
      const pieces = new ChunkBuffer();
      const texts = Array.from({ length: count }, (_, n) => `${n},`);
      for (const round of ['first', 'second']) {
        texts.forEach((text) => pieces.add(Buffer.from(text)));
        assert.equal(pieces.length, texts.join('').length);
        assert.equal(Buffer.concat(pieces.all()).toString(), texts.join(''));
        assert.equal(pieces.take().toString(), texts.join(''));
        assert.equal(pieces.length, 0, round);
      }
    }
  });

  it('one piece is not copied', () => {
    const pieces = new ChunkBuffer();
    const piece = Buffer.from('{}');
    pieces.add(piece);
    assert.equal(pieces.take(), piece);
  });
});

describe('bytes that come one by one', () => {
  it('take as a line little more memory than they are', () => {
    const seen: unknown[] = [];
    const lines = new MessageLines(
      { message: (message) => seen.push(message), problem: assert.fail },
      defaultHttpLimits,
    );
    const before = inUse();
    for (let count = 0; count < many; count++) {
      lines.push(Buffer.from(' '));
    }
    assert.ok(inUse() - before < few, `${inUse() - before} bytes`);
    lines.push(Buffer.from('{"jsonrpc":"2.0","method":"x"}\n'));
    assert.deepEqual(seen, [{ jsonrpc: '2.0', method: 'x' }]);
  });

  it('take as a body little more memory than they are', async () => {
    const response = new IncomingMessage(new Socket());
    const text = readText(response, defaultHttpLimits);
    const before = inUse();
    for (let count = 0; count < many; count++) {
      response.emit('data', Buffer.from(' '));
    }
    assert.ok(inUse() - before < few, `${inUse() - before} bytes`);
    response.push('x');
    response.push(null);
    assert.equal(await text, `${' '.repeat(many)}x`);
  });
});
