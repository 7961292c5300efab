import assert from 'node:assert/strict';
import { heapBytes, textBytes } from '../../../src/base/memory.ts';
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
