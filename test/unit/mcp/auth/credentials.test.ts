import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { bindClient } from '../../../../src/mcp/auth/clientBinding.ts';
import { Credentials } from '../../../../src/mcp/auth/credentials.ts';
import { memoryStore } from '../../../support/memoryStore.ts';

const tokens = {
  accessToken: 'access-secret',
  refreshToken: 'refresh-secret',
  tokenType: 'bearer',
  clientId: 'c',
  obtainedAt: 1,
  expiresAt: 2,
  scope: 'a',
  proofKey: { publicKey: {}, privateKey: { d: 'key-secret' } },
} as const;
const registration = {
  clientId: 'c',
  clientSecret: 'client-secret',
  authenticationMethod: 'none',
  redirectUri: 'http://127.0.0.1/',
};

describe('Credentials', () => {
  it('REG-10 (2026), AUTH-18 (legacy): keeps registrations by issuer, tokens by issuer and resource', async () => {
    const credentials = new Credentials(memoryStore());
    await credentials.addRegistration('https://one', registration);
    await credentials.setTokens('https://one', 'https://r', tokens);
    assert.deepEqual(await credentials.registrations('https://one'), [registration]);
    assert.deepEqual(await credentials.registrations('https://two'), []);
    assert.deepEqual(await credentials.registrationOf('https://one', 'c'), registration);
    assert.equal(await credentials.registrationOf('https://two', 'c'), undefined);
    assert.deepEqual(await credentials.tokens('https://one', 'https://r'), tokens);
    assert.equal(await credentials.tokens('https://two', 'https://r'), undefined);
    assert.equal(await credentials.tokens('https://one', 'https://r/mcp'), undefined);
  });

  it('AUTH-18 (legacy): keeps a registration that there are tokens of, and forgets what is superseded', async () => {
    const credentials = new Credentials(memoryStore());
    const known = async (): Promise<readonly string[]> =>
      (await credentials.registrations('https://one')).map(({ clientId }) => clientId);
    const add = async (clientId: string): Promise<void> =>
      credentials.addRegistration('https://one', { ...registration, clientId });
    await add('unused');
    await add('c');
    assert.deepEqual(await known(), ['c']);
    await credentials.setTokens('https://one', 'https://r', tokens);
    await credentials.setTokens('https://one.example', 'https://r', { ...tokens, clientId: 'new' });
    await add('new');
    assert.deepEqual(await known(), ['c', 'new']);
    await add('newer');
    assert.deepEqual(await known(), ['c', 'newer'], 'tokens of another issuer keep nothing here');
    await credentials.forgetRegistration('https://one', 'c');
    assert.deepEqual(await known(), ['newer']);
    await add('newest');
    await credentials.forgetRegistration('https://one');
    assert.deepEqual(await credentials.list().then((all) => all.map(({ kind }) => kind)), [
      'tokens',
      'tokens',
    ]);
  });

  it('FLOW-15, DPOP-04 (2026), AUTH-32 (legacy): lists names and times, no values', async () => {
    const values = new Map([
      ['mcpHost.input/x', 'other'],
      ['mcpHost.oauth.tokens https://broken https://r', '{'],
    ]);
    const credentials = new Credentials(memoryStore(values));
    await credentials.addRegistration('https://one', registration);
    await credentials.setTokens('https://one', 'https://r', tokens);
    const list = await credentials.list();
    assert.deepEqual(list, [
      { kind: 'registration', issuer: 'https://one', clientId: 'c' },
      {
        kind: 'tokens',
        issuer: 'https://one',
        resource: 'https://r',
        expiresAt: 2,
        canRefresh: true,
        scope: 'a',
      },
    ]);
    assert.doesNotMatch(JSON.stringify(list), /secret/u);
  });

  it('counts what does not parse, or is of another shape, as absent', async () => {
    const key = 'mcpHost.oauth.tokens https://one https://r';
    for (const text of ['{', 'null', '[]', '{"accessToken":1}']) {
      const credentials = new Credentials(memoryStore(new Map([[key, text]])));
      assert.equal(await credentials.tokens('https://one', 'https://r'), undefined);
    }
  });

  it('forgets what is set to nothing', async () => {
    const credentials = new Credentials(memoryStore());
    await credentials.setOrigin('https://s', { issuer: 'https://one', resource: 'https://r' });
    await credentials.setOrigin('https://s', undefined);
    assert.equal(await credentials.origin('https://s'), undefined);
  });
});

describe('bindClient', () => {
  const server = new URL('https://s/mcp');
  const settings = { grant: { kind: 'authorizationCode' }, dpop: false, clientId: 'mine' } as const;

  it('REG-10, REG-12 (2026): shows a client of the settings to the issuer that it was first used at only', async () => {
    const credentials = new Credentials(memoryStore());
    await bindClient(settings, server, 'https://one', credentials);
    await bindClient(settings, server, 'https://one/', credentials);
    await assert.rejects(bindClient(settings, server, 'https://two', credentials), {
      code: 'unauthorized',
      message:
        /now signs in at https:\/\/two, but the client "mine" .* registered with https:\/\/one/u,
    });
  });

  it('lets the settings say which issuer it is', async () => {
    const credentials = new Credentials(memoryStore());
    await bindClient(settings, server, 'https://one', credentials);
    const moved = { ...settings, issuer: 'https://two' };
    await bindClient(moved, server, 'https://two', credentials);
    await assert.rejects(bindClient(moved, server, 'https://one', credentials));
  });

  it('REG-13 (2026): binds no client that has no id of its own', async () => {
    const credentials = new Credentials(memoryStore());
    const { clientId: _, ...anyone } = settings;
    await bindClient(anyone, server, 'https://one', credentials);
    await bindClient(anyone, server, 'https://two', credentials);
    assert.deepEqual(await credentials.list(), []);
  });
});
