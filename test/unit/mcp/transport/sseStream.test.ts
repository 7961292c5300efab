import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'mocha';
import { readEvents, StreamPosition } from '../../../../src/mcp/transport/sseStream.ts';

/** Reads a stream that ends in the way of `end` as soon as its first bytes are there. */
function read(text: string, end: (response: IncomingMessage) => void): Promise<readonly string[]> {
  const response = new IncomingMessage(new Socket());
  const seen: string[] = [];
  const over = new Promise<readonly string[]>((resolve) => {
    readEvents(
      response,
      new StreamPosition(),
      { maxEventChars: 1_000 },
      {
        onData: (data) => seen.push(data),
        onEnd: (error) => resolve([...seen, error?.message ?? 'whole']),
      },
    );
  });
  response.once('data', () => end(response));
  response.push(text);
  return over;
}

describe('a stream of events for which the parser is yet to be loaded', () => {
  it('is read to its end', async () => {
    const whole = await read(': comment\ndata:one\n\ndata: two\n\n', (response) => {
      response.push(null);
    });
    assert.deepEqual(whole, ['one', 'two', 'whole']);
  });

  it('gives what was complete when the connection is cut', async () => {
    const cut = await read('data:one\n\ndata:tw', (response) => response.destroy(new Error('cut')));
    assert.deepEqual(cut, ['one', 'cut']);
  });

  it('gives nothing once it is given up', async () => {
    const givenUp = await read('data:one\n\n', (response) => response.destroy());
    assert.deepEqual(givenUp, ['The connection broke off']);
  });
});
