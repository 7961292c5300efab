import assert from 'node:assert/strict';
import { createParser } from 'eventsource-parser';
import { describe, it } from 'mocha';
import { EventGate, keptChars } from '../../../../../src/mcp/transport/http/sseGate.ts';

const maxChars = 5_000;
const large = `data: {"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(maxChars + keptChars)}"}`;

interface Seen {
  readonly events: string[];
  readonly skipped: unknown[];
  readonly ids: string[];
  ends: number;
}

function through(...pieces: readonly string[]): Seen {
  const seen: Seen = { events: [], skipped: [], ids: [], ends: 0 };
  const parser = createParser({
    onEvent: ({ data }) => seen.events.push(data),
    onId: (id) => seen.ids.push(id),
  });
  const gate = new EventGate(parser, {
    maxChars,
    objectionTo: (chars) => (chars > maxChars + keptChars ? 'is too large' : undefined),
    onSkipped: (_reason, reply) => seen.skipped.push(reply),
    onEndless: () => (seen.ends += 1),
  });
  pieces.forEach((piece) => gate.feed(piece));
  return seen;
}

describe('EventGate', () => {
  for (const [name, end] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ] as const) {
    it(`passes over what is too large and nothing else, wherever the text is cut: ${name}`, () => {
      const event = (data: string): string => `${data}${end}${end}`;
      const text = `${event('data: a')}${event(`id: 1${end}${large}`)}${event('data: b')}${event('data: c')}`;
      const at = text.indexOf('data: b');
      for (let cut = at - 12; cut < at + 24; cut += 1) {
        const { events, skipped } = through(text.slice(0, cut), text.slice(cut), 'data: d\n\n');
        assert.deepEqual(events, ['a', 'b', 'c', 'd'], String(cut));
        const error = { code: -32_603, message: 'The answer is too large' };
        assert.deepEqual(skipped, [{ jsonrpc: '2.0', id: 7, error }]);
      }
      const { events, skipped } = through(...text.split(''));
      assert.deepEqual(events, ['a', 'b', 'c']);
      assert.equal(skipped.length, 1);
    });
  }

  it('takes no event for endless whose end is there', () => {
    const longer = large.replace('xx', 'x'.repeat(5 * maxChars));
    const { events, skipped, ends } = through(`${longer}\n\ndata: b\n\n`, 'data: c\n\n');
    assert.deepEqual([events, skipped.length, ends], [['b', 'c'], 1, 0]);
  });

  for (const [what, event] of [
    ['over several lines', large.replaceAll(',', ',\r\ndata: ')],
    [
      'before other fields',
      `${large.replace('"id":7,', '').slice(0, -1)},"id":7}\nid: 1\nevent: message`,
    ],
  ] as const) {
    it(`tells whose reply it was that was passed over, its data ${what}`, () => {
      const { skipped } = through(`: comment\n${event}\n\n`);
      const error = { code: -32_603, message: 'The answer is too large' };
      assert.deepEqual(skipped, [{ jsonrpc: '2.0', id: 7, error }]);
    });
  }

  it('tells so also where the limit is passed with the last characters', () => {
    const begin = 'data: {"jsonrpc":"2.0","result":"';
    const end = '","id":7}\n\n';
    const chars = maxChars + keptChars - begin.length - end.length + 1;
    const text = `${begin}${'x'.repeat(chars)}${end}`;
    for (let cut = 1; cut < end.length + 2; cut += 1) {
      const { skipped } = through(text.slice(0, -cut), text.slice(-cut));
      const error = { code: -32_603, message: 'The answer is too large' };
      assert.deepEqual(skipped, [{ jsonrpc: '2.0', id: 7, error }], String(cut));
    }
  });

  it('takes the id of what was passed over, before its data and behind', () => {
    const ids = through(`id: 1\n${large}\n\n`, `${large}\r\nid:2\r\n\r\n`, `${large}\n\n`).ids;
    assert.deepEqual(ids, ['1', '2']);
  });

  it('stands for no reply where there is none', () => {
    const { events, skipped } = through(`data: ${'x'.repeat(9_000)}\n\ndata: a\n\n`);
    assert.deepEqual([events, skipped], [['a'], [undefined]]);
  });

  it('says once that there is no end', () => {
    const piece = 'x'.repeat(maxChars);
    const { events, ends } = through(
      'data: ',
      piece,
      piece,
      piece,
      piece,
      piece,
      '\n\ndata: a\n\n',
    );
    assert.deepEqual([events, ends], [[], 1]);
  });
});
