import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readPlainEvents } from '../../../../../src/mcp/transport/http/ssePlain.ts';

type Seen = readonly [string | undefined, string | undefined, string];

function read(text: string, maxChars = 1_000): { seen: readonly Seen[]; rest: string } {
  const seen: Seen[] = [];
  const done = readPlainEvents(text, maxChars, (...event) => seen.push(event));
  return { seen, rest: text.slice(done) };
}

describe('plain server-sent events', () => {
  it('are read whole, with their fields in any order', () => {
    const text = 'data: {"a":1}\n\nevent: message\ndata: b\n\ndata: c\nid: 7\n\n\n';
    assert.deepEqual(read(text), {
      seen: [
        [undefined, undefined, '{"a":1}'],
        ['message', undefined, 'b'],
        [undefined, '7', 'c'],
      ],
      rest: '\n',
    });
  });

  for (const [what, event] of [
    ['data in two lines', 'data: a\ndata: b\n\n'],
    ['a comment', ': hello\ndata: a\n\n'],
    ['a field without a blank', 'data:a\n\n'],
    ['another field', 'retry: 10\ndata: a\n\n'],
    ['no data', 'id: 1\n\n'],
    ['an id with a NUL', 'id: 1\0\ndata: a\n\n'],
    ['a byte order mark', '\uFEFFdata: a\n\n'],
  ] as const) {
    it(`leaves an event to the parser that has ${what}`, () => {
      assert.deepEqual(read(`data: first\n\n${event}data: last\n\n`), {
        seen: [[undefined, undefined, 'first']],
        rest: `${event}data: last\n\n`,
      });
    });
  }

  it('leaves lines that end with a carriage return to the parser', () => {
    const text = 'data: a\r\n\r\ndata: b\n\n';
    assert.deepEqual(read(text), { seen: [], rest: text });
  });

  it('leaves an event to the parser that is larger than the limit', () => {
    const text = `data: ${'x'.repeat(50)}\n\n`;
    assert.deepEqual(read(`data: a\n\n${text}`, 40).rest, text);
    assert.equal(read(text, 60).rest, '');
  });
});
