import assert from 'node:assert/strict';
import { recentLimits, RecentUris } from '../../../../src/host/resources/resourceAddress.ts';
import type { Memory } from '../../../../src/host/storage.ts';

function memoryOf(values = new Map<string, unknown>()): Memory {
  return {
    get: (key) => values.get(key),
    set: async (key, value) => void values.set(key, value),
  };
}

describe('RecentUris', () => {
  it('keeps what was opened, the newest first and each once, with its template', async () => {
    const recents = new RecentUris(memoryOf());
    await recents.add({ serverId: 'a', uri: 'x://1', template: 'x://{id}' });
    await recents.add({ serverId: 'a', uri: 'x://2' });
    await recents.add({ serverId: 'b', uri: 'x://1' });
    await recents.add({ serverId: 'a', uri: 'x://1' });
    assert.deepEqual(recents.all(), [
      { serverId: 'a', uri: 'x://1', template: 'x://{id}' },
      { serverId: 'b', uri: 'x://1' },
      { serverId: 'a', uri: 'x://2' },
    ]);
    assert.deepEqual(recents.ofTemplate('a', 'x://{id}'), ['x://1']);
    assert.deepEqual(recents.ofTemplate('b', 'x://{id}'), []);
  });

  it('is bounded in number and in length', async () => {
    const recents = new RecentUris(memoryOf());
    for (let n = 0; n <= recentLimits.maxUris; n += 1) {
      await recents.add({ serverId: 'a', uri: `x://${n}` });
    }
    await recents.add({ serverId: 'a', uri: `x://${'y'.repeat(recentLimits.maxUriLength)}` });
    assert.equal(recents.all().length, recentLimits.maxUris);
    assert.equal(recents.all()[0]?.uri, `x://${recentLimits.maxUris}`);
  });

  it('drops what something else has stored there', async () => {
    const memory = memoryOf();
    await memory.set('recentResources', [7, { uri: 'x://1' }, { serverId: 'a', uri: 'x://1' }]);
    assert.deepEqual(new RecentUris(memory).all(), [{ serverId: 'a', uri: 'x://1' }]);
    await memory.set('recentResources', 'nothing');
    assert.deepEqual(new RecentUris(memory).all(), []);
  });
});
