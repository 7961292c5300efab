import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { ServerMemory } from '../../../../../src/host/servers/serverMemory.ts';
import type { MemoryAccount } from '../../../../../src/base/memory.ts';
import { readEvents, StreamPosition } from '../../../../../src/mcp/transport/http/sseStream.ts';

const maxMessageBytes = 5_000;

interface Seen {
  /** Data, and how the stream ended. */
  readonly told: readonly string[];
  readonly position: StreamPosition;
}

/** Reads these pieces, one after the other, and the end of the stream or an error. */
async function read(
  pieces: readonly string[],
  limit = maxMessageBytes,
  { cut, memory }: { readonly cut?: Error; readonly memory?: MemoryAccount } = {},
): Promise<Seen> {
  const response = new IncomingMessage(new Socket());
  const position = new StreamPosition();
  const told: string[] = [];
  const over = new Promise<void>((resolve) => {
    readEvents(
      response,
      position,
      { maxMessageBytes: limit, memory },
      {
        onData: (data) => told.push(data),
        onOther: (event, data) => told.push(`${event}: ${data}`),
        onEnd: (error) => {
          told.push(error?.message ?? 'whole');
          resolve();
        },
      },
    );
  });
  for (const piece of pieces) {
    response.push(piece);
    await setImmediate();
  }
  if (cut === undefined) {
    response.push(null);
  } else {
    response.destroy(cut);
  }
  await over;
  return { told, position };
}

describe('a stream of events', () => {
  it('HTTP-06: is read to its end, whatever the fields and the ends of lines are', async () => {
    const { told, position } = await read([
      '\uFEFFdata:one\n\n: comment\ncolour: blue\nnothing\nevent: message\ndata: t',
      'w\ndata: o\r',
      '\n\r\nevent: x\rid: 9\rdata: three\r\rretry: 10\n\nid: 10\n\ndata: cut off',
    ]);
    assert.deepEqual(told, ['one', 'tw\no', 'x: three', 'whole']);
    const { lastEventId, retryMs, events } = position;
    assert.deepEqual([lastEventId, retryMs, events], ['10', 10, 5]);
  });

  it('TRAP-17: has no message in an event without data, which moves the position', async () => {
    const { told, position } = await read(['data: a\n\n', 'id: 7\ndata: \n\n']);
    assert.deepEqual(told, ['a', 'whole']);
    assert.equal(position.lastEventId, '7');
  });

  it('gives what was complete when the connection is cut', async () => {
    const { told } = await read(['data:one\n\ndata:tw'], maxMessageBytes, {
      cut: new Error('cut'),
    });
    assert.deepEqual(told, ['one', 'cut']);
  });

  it('is not asked for by an id that no header can hold', async () => {
    const { position } = await read([`id: ${'1'.repeat(10_000)}\ndata: a\n\n`], 1e6);
    assert.equal(position.lastEventId, undefined);
  });
});

describe('an event that is too large', () => {
  for (const piece of [
    `data: ${'x'.repeat(1_000)}`,
    'x'.repeat(1_000),
    'data:\n'.repeat(100),
    'd\r'.repeat(500),
  ]) {
    it(`ends the stream, which is not resumed: ${JSON.stringify(piece.slice(0, 8))}`, async () => {
      const { told, position } = await read(['id: 1\ndata: a\n\n', ...Array(8).fill(piece)]);
      assert.deepEqual(told, ['a', `an event is larger than ${maxMessageBytes} bytes`]);
      assert.equal(position.lastEventId, undefined);
    });
  }

  it('ends the stream when there is no memory for it, and then takes none', async () => {
    const memory = new ServerMemory().open(100_000);
    const pieces = ['id: 1\ndata: a\n\n', 'data: ', ...Array(20).fill('x'.repeat(10_000))];
    const { told, position } = await read(pieces, 1e9, { memory });
    assert.deepEqual(told, ['a', `an event ${memory.refusal}`]);
    assert.equal(position.lastEventId, undefined);
    assert.equal(memory.used, 0);
  });

  it('takes memory until the stream is cut', async () => {
    const memory = new ServerMemory().open(1e9);
    const { told } = await read(['data: xxx'], 1e9, { cut: new Error('cut'), memory });
    assert.deepEqual([told, memory.used], [['cut'], 0]);
  });

  it('is one event, not several whose pieces overlap', async () => {
    const pieces = Array(20).fill(`${'x'.repeat(500)}\n\ndata: ${'x'.repeat(500)}`);
    const { told } = await read(['data: a', ...pieces, '\n\n']);
    assert.deepEqual([told.length, told.at(-1)], [22, 'whole']);
  });

  for (const line of ['d\n', 'd\n\n', 'd\r\n\r\n', '\r', 'retry: x\n']) {
    it(`is read in linear time, whatever its lines are: ${JSON.stringify(line)}`, async () => {
      const piece = `${line.repeat(60_000 / line.length)}\n\n`;
      const before = process.cpuUsage();
      await read(['data: a\n\n: comment\n', ...Array.from({ length: 70 }, () => piece)], 2 ** 26);
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 1_500_000, `${(user + system) / 1_000} ms for 4 MB`);
    });
  }
});
