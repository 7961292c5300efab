import assert from 'node:assert/strict';
import { createParser } from 'eventsource-parser';
import { describe, it } from 'mocha';
import { EventGate, keptChars } from '../../../../src/mcp/transport/sseGate.ts';

const maxChars = 5_000;
const large = `data: {"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(maxChars + keptChars)}"}`;

interface Seen {
  readonly events: string[];
  readonly skipped: unknown[];
  ends: number;
}

function through(...pieces: readonly string[]): Seen {
  const seen: Seen = { events: [], skipped: [], ends: 0 };
  const parser = createParser({ onEvent: ({ data }) => seen.events.push(data) });
  const gate = new EventGate(parser, {
    maxChars,
    reason: 'is too large',
    onSkipped: (reply) => seen.skipped.push(reply),
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
