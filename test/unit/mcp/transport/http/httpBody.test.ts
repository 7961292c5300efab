import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { ServerMemory } from '../../../../../src/host/servers/serverMemory.ts';
import { readText } from '../../../../../src/mcp/transport/http/httpBody.ts';
import type { MessageLimits } from '../../../../../src/mcp/transport/limits.ts';

async function read(
  pieces: readonly string[],
  limits: MessageLimits,
  end?: Error,
): Promise<string> {
  const response = new IncomingMessage(new Socket());
  const text = readText(response, limits);
  for (const piece of pieces) {
    response.push(piece);
  }
  if (end === undefined) {
    response.push(null);
  } else {
    setImmediate(() => response.destroy(end));
  }
  return text;
}

describe('readText', () => {
  const limits = { maxMessageBytes: 200 };

  it('gives the whole body, without a byte order mark', async () => {
    assert.equal(await read(['\uFEFF{"a"', ':1}'], limits), '{"a":1}');
  });

  it('reads no more than a message may have', async () => {
    const pieces = Array.from({ length: 5 }, () => 'x'.repeat(50));
    assert.equal((await read(pieces.slice(1), limits)).length, 200);
    await assert.rejects(read(pieces, limits), {
      code: 'protocol',
      message: /is larger than 200 bytes/u,
    });
  });

  it('reads no more than there is memory for', async () => {
    const memory = new ServerMemory().open(100_000);
    await assert.rejects(read(['x'.repeat(150_000)], { maxMessageBytes: 1e9, memory }), {
      code: 'protocol',
    });
    assert.equal(memory.used, 0);
  });

  it('HTTP-07: takes a body that breaks off for no answer', async () => {
    await assert.rejects(read(['{"a":1}'], limits, new Error('cut')), { code: 'closed' });
  });
});
