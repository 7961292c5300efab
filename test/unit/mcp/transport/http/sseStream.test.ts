import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { maxEventLines } from '../../../../../src/mcp/transport/http/sseGate.ts';
import { readEvents, StreamPosition } from '../../../../../src/mcp/transport/http/sseStream.ts';

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

/** What becomes of these pieces, one after the other. */
async function readAll(pieces: Iterable<string>): Promise<readonly string[]> {
  const response = new IncomingMessage(new Socket());
  const seen: string[] = [];
  const over = new Promise<void>((resolve) => {
    readEvents(
      response,
      new StreamPosition(),
      { maxEventChars: 64 * 2 ** 20 },
      {
        onData: (data) => seen.push(data),
        onEnd: (error) => {
          seen.push(error?.message ?? 'whole');
          resolve();
        },
      },
    );
  });
  for (const piece of pieces) {
    if (response.destroyed) {
      break;
    }
    response.push(piece);
    await setImmediate();
  }
  response.push(null);
  await over;
  return seen;
}

describe('a stream of events that is meant to do harm', () => {
  for (const line of ['data:\n', 'data:\r', 'd\n']) {
    it(`ends with an event that has too many lines: ${JSON.stringify(line)}`, async () => {
      const piece = line.repeat(10_000);
      const pieces = Array.from({ length: 100 }, () => piece);
      const before = process.cpuUsage();
      const seen = await readAll(['data: a\n\n: comment\n', ...pieces]);
      const { user, system } = process.cpuUsage(before);
      assert.deepEqual(seen, ['a', `an event has more than ${maxEventLines} lines`]);
      assert.ok(user + system < 1_500_000, `${(user + system) / 1_000} ms`);
    });
  }

  for (const line of ['d\n', 'd\n\n', 'd\r\n\r\n', '\r', 'retry: x\n']) {
    it(`is read in linear time, whatever its lines are: ${JSON.stringify(line)}`, async () => {
      const piece = `${line.repeat(60_000 / line.length)}\n\n`;
      const before = process.cpuUsage();
      await readAll(['data: a\n\n: comment\n', ...Array.from({ length: 70 }, () => piece)]);
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 1_500_000, `${(user + system) / 1_000} ms for 4 MB`);
    });
  }

  it('is not asked for by an id that no header can hold', async () => {
    const position = new StreamPosition();
    const response = new IncomingMessage(new Socket());
    const over = new Promise<unknown>((resolve) => {
      const limits = { maxEventChars: 1e6 };
      readEvents(response, position, limits, { onData: () => undefined, onEnd: resolve });
    });
    response.push(`id: ${'1'.repeat(100_000)}\ndata: a\n\n`);
    response.push(null);
    await over;
    assert.equal(position.lastEventId, undefined);
  });
});
