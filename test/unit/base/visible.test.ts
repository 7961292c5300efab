import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { visible, visibleWhole } from '../../../src/base/visible.ts';

describe('visible', () => {
  const spelled: readonly (readonly [string, string])[] = [
    ['a\nb\r\tc\0', 'a\\u{a}b\\u{d}\\u{9}c\\u{0}'],
    ['safe\u202etxt.exe', 'safe\\u{202e}txt.exe'],
    ['a\u200bb\u200dc\ufeff', 'a\\u{200b}b\\u{200d}c\\u{feff}'],
    ['a\u00a0b\u3000c\u2028', 'a\\u{a0}b\\u{3000}c\\u{2028}'],
    ['\u3164\u2800\u00ad\u034f', '\\u{3164}\\u{2800}\\u{ad}\\u{34f}'],
    ['\u{e0041}\ud800', '\\u{e0041}\\u{d800}'],
    ['a    b', 'a\\u{20}\\u{20}\\u{20}\\u{20}b'],
    ['a b  c', 'a b  c'],
    ['Zürich 日本 C:\\new ${env:X}', 'Zürich 日本 C:\\new ${env:X}'],
  ];
  for (const [text, expected] of spelled) {
    it(`shows ${expected}`, () => assert.equal(visible(text), expected));
  }

  it('leaves nothing that the eye cannot see, and cuts nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visible(text);
        assert.match(shown, /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u);
        const kept = Array.from(text).filter(
          (character) => /[\p{L}\p{N}]/u.test(character) && !/\p{DI}/u.test(character),
        );
        assert.ok(kept.every((character) => shown.includes(character)));
      }),
    );
  });

  it('quotes what ends in blanks or is empty', () => {
    assert.deepEqual(['', ' a', 'a ', 'a b'].map(visibleWhole), ['""', '" a"', '"a "', 'a b']);
  });
});
