import assert from 'node:assert/strict';
import { heapBytes, jsonChars, textBytes } from '../../../src/base/memory.ts';
import { inUse } from '../../support/memoryInUse.ts';

const count = 100_000;
const many = (make: (n: number) => string): string =>
  `[${Array.from({ length: count }, (_, n) => make(n)).join(',')}]`;

describe('heapBytes', () => {
  for (const [what, text] of [
    ['texts', many((n) => `"text number ${n}"`)],
    ['wide texts', many((n) => `"Text Nummer ${n} \u{1F600}"`)],
    ['empty objects', many(() => '{}')],
    ['empty arrays', many(() => '[]')],
    ['objects of one kind', many((n) => `{"name":"a${n}","value":${n}.5,"isSo":true}`)],
    ['objects of one name each', many((n) => `{"${n.toString(36)}x":0}`)],
    [
      'different names',
      many((n) => `"n${n}":0`)
        .replace('[', '{')
        .replace(/\]$/u, '}'),
    ],
    [
      'tools',
      many(
        (n) =>
          `{"name":"t${n}","description":"What it does: ${n}","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}`,
      ),
    ],
  ] as const) {
    it(`is what the heap takes for them, or more, and not three times as much: ${what}`, () => {
      const before = inUse();
      const value: unknown = JSON.parse(text);
      const taken = inUse() - before;
      const counted = heapBytes(value);
      const share = counted / taken;
      assert.ok(share > 0.9 && share < 3, `${counted} for ${taken}: ${share.toFixed(2)}`);
    });
  }

  it('counts two bytes for each character of a text that has a wide one', () => {
    assert.deepEqual([textBytes('aé'), textBytes('a😀')], [2, 6]);
  });
});

describe('jsonChars', () => {
  for (const value of [
    'abc',
    ['', 'ab', []],
    { name: 'a tool', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
    Array.from({ length: 1_000 }, (_, n) => ({ name: `tool ${n}`, tags: ['x', 'y'] })),
  ]) {
    const text = JSON.stringify(value);
    it(`is about the length of ${text.slice(0, 50)}`, () => {
      const chars = jsonChars(value, 1e9);
      assert.ok(Math.abs(chars - text.length) <= 3 + text.length * 0.1, `${chars}`);
    });
  }

  it('counts what takes memory, however short it is written', () => {
    assert.ok(jsonChars([0, 1, null, true], 1e9) > 32);
    assert.equal(jsonChars(undefined, 1e9), 8);
  });

  it('stops soon after the most that is asked for', () => {
    let read = 0;
    const counted = {
      get text() {
        read += 1;
        return 'x'.repeat(100);
      },
    };
    const chars = jsonChars(
      Array.from({ length: 1_000 }, () => counted),
      1_000,
    );
    assert.ok(chars > 1_000 && chars < 1_200, `${chars}`);
    assert.equal(read, 9);
  });
});
