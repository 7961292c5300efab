import assert from 'node:assert/strict';
import { isLeftOut, readWatch } from '../../../../src/host/dev/watchPatterns.ts';

describe('dev.watch', () => {
  it('tells what is watched from what is left out', () => {
    assert.deepEqual(readWatch(['src/**', ' ./lib/*.js', '!**/*.test.js', '!/out/**']), {
      includes: ['src/**', 'lib/*.js'],
      excludes: ['**/*.test.js', 'out/**'],
    });
  });

  for (const [file, isOut] of [
    ['src/a.js', false],
    ['src/a.test.js', true],
    ['src/deep/er/a.test.js', true],
    ['out/a.js', true],
    ['layout/a.js', false],
  ] as const) {
    it(`${isOut ? 'leaves out' : 'keeps'} ${file}`, () => {
      assert.equal(isLeftOut(file, readWatch(['**', '!**/*.test.js', '!out/**'])), isOut);
    });
  }
});
