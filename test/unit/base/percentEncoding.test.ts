import assert from 'node:assert/strict';
import { percentDecoded } from '../../../src/base/percentEncoding.ts';

describe('percentDecoded', () => {
  it('decodes what is encoded, and leaves what only looks like it', () => {
    assert.equal(percentDecoded('Z%C3%BCrich%20%40home'), 'Zürich @home');
    for (const text of ['100%', '%zz', '%ff', '']) {
      assert.equal(percentDecoded(text), text);
    }
  });
});
