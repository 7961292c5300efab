/** The favorites among prompts: order, limit, and what is stored. */
import assert from 'node:assert/strict';
import { FavoritePrompts, maxFavorites } from '../../../../src/host/prompts/favoritePrompts.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';

describe('FavoritePrompts', () => {
  it('keeps what was added, the newest last, once each and up to a limit', async () => {
    const memory = new FakeMemory();
    const favorites = new FavoritePrompts(memory);
    let changes = 0;
    favorites.onDidChange(() => (changes += 1));
    for (let n = 0; n <= maxFavorites; n += 1) {
      await favorites.add('user/docs', `p${n}`);
    }
    await favorites.add('user/docs', 'p5');
    await favorites.remove('user/docs', 'p6');
    assert.equal(changes, maxFavorites + 3);
    const { all } = new FavoritePrompts(memory);
    assert.equal(all.length, maxFavorites - 1);
    assert.deepEqual(all[0], ['user/docs', 'p1']);
    assert.deepEqual(all.at(-1), ['user/docs', 'p5']);
    assert.equal(favorites.has('user/docs', 'p6'), false);
    assert.equal(favorites.has('user/other', 'p5'), false);
  });

  it('leaves out what is stored and is none', async () => {
    const memory = new FakeMemory();
    await memory.set('mcpHost.favoritePrompts', [['a'], 'b', ['user/docs', 'p'], [1, 2], null]);
    assert.deepEqual(new FavoritePrompts(memory).all, [['user/docs', 'p']]);
  });
});
