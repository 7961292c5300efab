import assert from 'node:assert/strict';
import { StderrLines } from '../../../../../src/mcp/transport/stdio/stderrLines.ts';

function linesOf(...chunks: readonly (string | Uint8Array)[]): readonly string[] {
  const lines: string[] = [];
  const splitter = new StderrLines((line) => lines.push(line));
  for (const chunk of chunks) {
    splitter.push(Buffer.from(chunk));
  }
  splitter.end();
  return lines;
}

describe('StderrLines', () => {
  it('STDIO-06: splits lines wherever the bytes are cut', () => {
    assert.deepEqual(linesOf('one\r', '\ntw', 'o\n\nthree'), ['one', 'two', 'three']);
    const bytes = Buffer.from('größe\nende\n');
    assert.deepEqual(linesOf(...Array.from(bytes, (byte) => Uint8Array.of(byte))), [
      'größe',
      'ende',
    ]);
  });

  it('takes terminal colours away and reads a progress bar as lines', () => {
    assert.deepEqual(linesOf('\u001B[31mred\u001B[0m\n', '10%\r20%\r'), ['red', '10%', '20%']);
  });

  it('cuts a line that is too long and goes on after it', () => {
    const [first, second, ...others] = linesOf('z'.repeat(9_000), `${'z'.repeat(9_000)}\nnext\n`);
    assert.equal(first, `${'z'.repeat(8_192)}…`);
    assert.equal(second, 'next');
    assert.deepEqual(others, []);
  });
});
