import assert from 'node:assert/strict';
import { jsonChars } from '../../../src/base/jsonSize.ts';

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
