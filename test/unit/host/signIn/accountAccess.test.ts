import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AccountAccess } from '../../../../src/host/signIn/accountAccess.ts';
import { userEntry } from '../../../support/memoryStore.ts';
import { mapMemory } from '../../../support/signInHarness.ts';

const grant = { owner: userEntry, provider: 'github', account: 'octocat' };
const other = { ...userEntry, scope: 'workspace file:///w' };

describe('AccountAccess', () => {
  it('knows which server has which account, until that is taken back', async () => {
    const access = new AccountAccess(mapMemory());
    await access.allow(grant);
    assert.equal(access.has(userEntry), true);
    assert.equal(access.has(userEntry, 'github'), true);
    assert.equal(access.has(userEntry, 'microsoft'), false);
    assert.equal(access.has(other), false);
    await access.revoke({ ...grant, provider: 'microsoft' });
    await access.revoke({ ...grant, owner: other });
    assert.deepEqual(access.list(), [grant]);
    await access.revoke(grant);
    assert.deepEqual(access.list(), []);
  });

  it('has one account of a provider for a server, the last one', async () => {
    const access = new AccountAccess(mapMemory());
    await access.allow(grant);
    await access.allow({ ...grant, account: 'hubot' });
    await access.allow({ ...grant, provider: 'microsoft', account: 'me' });
    assert.deepEqual(
      access.list().map(({ account }) => account),
      ['hubot', 'me'],
    );
  });

  it('loses nothing when two are written at once, and survives a memory of another shape', async () => {
    const access = new AccountAccess(mapMemory());
    await Promise.all([access.allow(grant), access.allow({ ...grant, owner: other })]);
    assert.equal(access.list().length, 2);
    const odd = new Map<string, unknown>([
      [
        'mcpHost.accountAccess',
        [null, 5, { provider: 'x' }, { ...grant, owner: { server: 'notes' } }, grant],
      ],
    ]);
    assert.deepEqual(new AccountAccess(mapMemory(odd)).list(), [grant]);
  });
});
