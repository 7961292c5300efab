import assert from 'node:assert/strict';
import {
  isObject,
  isString,
  isStringArray,
  parsedJson,
  stableStringify,
} from '../../../src/base/json.ts';

describe('json', () => {
  it('tells objects from arrays and null', () => {
    assert.deepEqual(
      [{}, Object.create(null), [], null, 'x', undefined].map((value) => isObject(value)),
      [true, true, false, false, false, false],
    );
  });

  it('tells texts and arrays of texts', () => {
    assert.deepEqual(['', 1, null].map(isString), [true, false, false]);
    assert.deepEqual([[], ['a'], ['a', 1], 'a'].map(isStringArray), [true, true, false, false]);
  });

  it('reads JSON, and nothing else', () => {
    assert.deepEqual(['{"a":[1]}', 'null', '', '{', '<p>'].map(parsedJson), [
      { a: [1] },
      null,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('gives equal texts for equal values, and keeps the order of arrays', () => {
    assert.equal(
      stableStringify({ b: [{ d: 1, c: 2 }], a: null }),
      stableStringify({ a: null, b: [{ c: 2, d: 1 }] }),
    );
    assert.notEqual(stableStringify([1, 2]), stableStringify([2, 1]));
  });
});
