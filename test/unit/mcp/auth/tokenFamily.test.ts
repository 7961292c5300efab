import assert from 'node:assert/strict';
import {
  isLater,
  nameOf,
  nextFamily,
  seal,
  unsealed,
} from '../../../../src/mcp/auth/tokenFamily.ts';

describe('a family of tokens', () => {
  const first = nextFamily(undefined);

  it('goes on with each renewal, and is another for each sign-in that knows nothing of it', () => {
    const second = nextFamily(first);
    assert.deepEqual(second, { key: first.key, renewal: 1 });
    assert.notEqual(nextFamily(undefined).key, first.key);
    assert.equal(nameOf(second), nameOf(first));
    assert.ok(!nameOf(first).includes(first.key));
    const [one, two] = [first, second].map((family) => ({ accessToken: 'same', family }));
    assert.ok(one && two);
    assert.deepEqual(
      [isLater(two, one), isLater(one, two), isLater(one, one)],
      [true, false, false],
    );
    const [a, b] = ['a', 'b'].map((accessToken) => ({ accessToken }));
    assert.ok(a && b);
    assert.deepEqual([isLater(a, b), isLater(a, a)], [true, false]);
  });

  it('reads what was sealed with its key, whole and unchanged, and nothing else', () => {
    const value = { accessToken: 'a secret', text: 'ä'.repeat(5_000) };
    const sealed = seal(value, first);
    assert.notEqual(seal(value, first), sealed);
    assert.ok(!Buffer.from(sealed, 'base64').includes('a secret'));
    assert.deepEqual(unsealed(sealed, first), value);
    const changed = Buffer.from(sealed, 'base64');
    changed[40] = (changed[40] ?? 0) ^ 1;
    for (const other of ['', 'AAAA', '{', sealed.slice(0, -8), changed.toString('base64')]) {
      assert.equal(unsealed(other, first), undefined);
    }
    assert.equal(unsealed(sealed, nextFamily(undefined)), undefined);
    assert.equal(unsealed(sealed, { key: 'no key', renewal: 0 }), undefined);
  });
});
