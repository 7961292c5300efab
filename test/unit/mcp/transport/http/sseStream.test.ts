import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import {
  maxEventLines,
  readEvents,
  StreamPosition,
} from '../../../../../src/mcp/transport/http/sseStream.ts';

const maxMessageBytes = 5_000;

interface Seen {
  /** Data, sentences about skipped events, and how the stream ended. */
  readonly told: readonly string[];
  readonly position: StreamPosition;
}

/** Reads these pieces, one after the other, and the end of the stream or an error. */
async function read(
  pieces: readonly string[],
  limit = maxMessageBytes,
  cut?: Error,
): Promise<Seen> {
  const response = new IncomingMessage(new Socket());
  const position = new StreamPosition();
  const told: string[] = [];
  const over = new Promise<void>((resolve) => {
    readEvents(
      response,
      position,
      { maxMessageBytes: limit },
      {
        onData: (data) => told.push(data),
        onOther: (event, data) => told.push(`${event}: ${data}`),
        onSkipped: (text) => told.push(text),
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

const skipped = `Skipped an event that is larger than ${maxMessageBytes} bytes`;
const errorFor = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"The answer is larger than ${maxMessageBytes} bytes"}}`;
const large = `data: {"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(maxMessageBytes)}"}`;

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
    const { told } = await read(['data:one\n\ndata:tw'], maxMessageBytes, new Error('cut'));
    assert.deepEqual(told, ['one', 'cut']);
  });

  it('is not asked for by an id that no header can hold', async () => {
    const { position } = await read([`id: ${'1'.repeat(10_000)}\ndata: a\n\n`], 1e6);
    assert.equal(position.lastEventId, undefined);
  });
});

describe('an event that is too large', () => {
  for (const [name, end] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ] as const) {
    it(`is skipped and nothing else, wherever the bytes are cut: ${name}`, async () => {
      const event = (data: string): string => `${data}${end}${end}`;
      const text = `${event('data: a')}${event(`id: 1${end}${large}`)}${event('data: b')}${event('data: c')}`;
      const expected = ['a', skipped, errorFor(7), 'b', 'c', 'd', 'whole'];
      const at = text.indexOf('data: b');
      for (let cut = at - 12; cut < at + 24; cut += 1) {
        const pieces = [text.slice(0, cut), text.slice(cut), 'data: d\n\n'];
        assert.deepEqual((await read(pieces)).told, expected, String(cut));
      }
      const { told, position } = await read([...text.split(''), 'data: d\n\n']);
      assert.deepEqual(told, expected);
      assert.equal(position.lastEventId, '1', 'it counts as seen');
    });
  }

  for (const [what, event] of [
    ['over several lines', large.replaceAll(',', ',\r\ndata: ')],
    [
      'before other fields',
      `${large.replace('"id":7,', '').slice(0, -1)},"id":7}\nid: 1\nevent: message`,
    ],
  ] as const) {
    it(`fails its request, its data ${what}`, async () => {
      const { told } = await read([`: comment\n${event}\n\n`]);
      assert.deepEqual(told, [skipped, errorFor(7), 'whole']);
    });
  }

  it('fails no request if it is not a reply, and is not asked for again if it has no end', async () => {
    const junk = `data: ${'x'.repeat(9_000)}`;
    const { told, position } = await read([`id: 1\ndata: a\n\n${junk}\n\ndata: b\n\n`, junk]);
    assert.deepEqual(told, ['a', skipped, 'b', skipped, 'whole']);
    assert.equal(position.lastEventId, undefined);
  });

  for (const line of ['data:\n', 'data:\r', 'd\n']) {
    it(`has too many lines: ${JSON.stringify(line)}`, async () => {
      const pieces = Array.from({ length: 100 }, () => line.repeat(10_000));
      const before = process.cpuUsage();
      const { told } = await read(['data: a\n\n: comment\n', ...pieces, '\n\n'], 64 * 2 ** 20);
      const { user, system } = process.cpuUsage(before);
      assert.deepEqual(told, [
        'a',
        `Skipped an event that has more than ${maxEventLines} lines`,
        'whole',
      ]);
      assert.ok(user + system < 1_500_000, `${(user + system) / 1_000} ms`);
    });
  }

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
