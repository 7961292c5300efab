import assert from 'node:assert/strict';
import { ShownOrigins } from '../../../../src/host/apps/shownOrigins.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';

describe('Sites that an app may reach', () => {
  const site = 'https://one.example';

  it('APP-27: are new until the user has read them, for each server apart', async () => {
    const memory = new FakeMemory();
    const origins = new ShownOrigins(memory);
    assert.equal(origins.isNew('user:one', []), false);
    assert.equal(origins.isNew('user:one', [site]), true);
    await origins.allow('user:one', [site]);
    const again = new ShownOrigins(memory);
    assert.equal(again.isNew('user:one', [site]), false);
    assert.equal(again.isNew('user:one', [site, 'https://two.example']), true);
    assert.equal(again.isNew('user:two', [site]), true);
  });

  it('APP-27: are all new where what was kept is of another shape', () => {
    const memory = new FakeMemory();
    void memory.set('mcpHost.appOrigins', { [site]: true });
    assert.equal(new ShownOrigins(memory).isNew('user:one', [site]), true);
  });
});
