import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  beginningOf,
  longestRun,
  trimmedEnd,
  trimmedOf,
  truncated,
} from '../../../src/base/text.ts';

describe('texts that are cut', () => {
  it('stay whole where there is room', () => {
    assert.deepEqual(
      [beginningOf('', 0), beginningOf('abc', 3), truncated('abc', 3)],
      ['', 'abc', 'abc'],
    );
  });

  it('end with an ellipsis, which counts', () => {
    assert.deepEqual(
      [beginningOf('abcd', 3), truncated('abcd', 3), truncated('abcd', 0)],
      ['abc', 'ab…', '…'],
    );
  });

  it('have no half of a character at their end', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
        for (const cut of [beginningOf(text, max), truncated(text, max)]) {
          assert.ok(cut.isWellFormed() && cut.length <= max);
        }
      }),
    );
    assert.deepEqual([beginningOf('a\u{1f600}b', 2), truncated('a\u{1f600}b', 3)], ['a', 'a…']);
  });
});

describe('trimmedOf', () => {
  it('takes what is named from both ends, trimmedEnd from the last', () => {
    const edges = fc.string({ unit: fc.constantFrom('.', ' ') });
    fc.assert(
      fc.property(edges, fc.constantFrom('', 'a', 'a. b', '\u{1f600}'), edges, (from, text, to) => {
        assert.equal(trimmedOf(`${from}${text}${to}`, '. '), text);
        const rest = text === '' ? '' : `${from}${text}`;
        assert.equal(trimmedEnd(`${from}${text}${to}`, ' .'), rest);
      }),
    );
  });
});

describe('longestRun', () => {
  it('is that of the longest one, however many there are', () => {
    assert.deepEqual(
      ['', 'a', '`', 'a``b`', '`a``', '``````'].map((text) => longestRun(text, '`')),
      [0, 0, 1, 2, 2, 6],
    );
    assert.equal(longestRun('`a` '.repeat(300_000), '`'), 1);
  });
});
