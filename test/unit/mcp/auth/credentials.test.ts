import assert from 'node:assert/strict';
import { Credentials, storedItems } from '../../../../src/mcp/auth/credentials.ts';
import { nextFamily } from '../../../../src/mcp/auth/tokenFamily.ts';
import { memoryPlace, memoryStore, userEntry } from '../../../support/memoryStore.ts';

const tokens = {
  accessToken: 'access-secret',
  refreshToken: 'refresh-secret',
  tokenType: 'bearer',
  clientId: 'c',
  obtainedAt: 1,
  expiresAt: 2,
  scope: 'a',
  family: nextFamily(undefined),
  proofKey: { publicKey: {}, privateKey: { d: 'key-secret' } },
} as const;
const registration = {
  clientId: 'c',
  clientSecret: 'client-secret',
  authenticationMethod: 'none',
  redirectUri: 'http://127.0.0.1/',
};

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString();
}

describe('Credentials', () => {
  it('REG-10 (2026), AUTH-18 (legacy): keeps registrations by issuer, tokens by issuer and resource', async () => {
    const credentials = new Credentials(memoryStore(), userEntry);
    const origin = { issuer: 'https://one', resource: 'https://r' };
    await credentials.addRegistration(origin.issuer, registration);
    await credentials.setTokens(origin, tokens);
    assert.deepEqual(await credentials.registrationOf(origin.issuer, 'c'), registration);
    assert.equal(await credentials.registrationOf('https://two', 'c'), undefined);
    assert.equal(await credentials.registrationOf(origin.issuer, 'd'), undefined);
    assert.deepEqual(await credentials.tokens(origin), tokens);
    for (const other of [{ issuer: 'https://two' }, { resource: 'https://r/mcp' }]) {
      assert.equal(await credentials.tokens({ ...origin, ...other }), undefined);
    }
  });

  it('AUTH-18 (legacy): keeps the newest registrations, and forgets one or all', async () => {
    const credentials = new Credentials(memoryStore(), userEntry);
    const known = async (): Promise<readonly string[]> =>
      (await credentials.registrations('https://one')).map(({ clientId }) => clientId);
    for (const clientId of ['a', 'b', 'c', 'd', 'e']) {
      await credentials.addRegistration('https://one', { ...registration, clientId });
    }
    assert.deepEqual(await known(), ['b', 'c', 'd', 'e']);
    await credentials.forgetRegistration('https://one', 'c');
    assert.deepEqual(await known(), ['b', 'd', 'e']);
    await credentials.forgetRegistration('https://one');
    assert.deepEqual(await known(), []);
  });

  it('DPOP-04 (2026): keeps the private key in the secret store, and shares it only encrypted', async () => {
    const [values, texts] = [new Map<string, string>(), new Map<string, string>()];
    const credentials = new Credentials(memoryStore(values, memoryPlace(texts)), userEntry);
    const origin = { issuer: 'https://one', resource: 'https://r' };
    await credentials.setTokens(origin, tokens);
    assert.match([...values.values()].join(), /key-secret/u);
    assert.equal(texts.size, 1);
    const shared = [...texts].flat();
    assert.doesNotMatch([...shared, ...shared.map(fromBase64)].join(), /secret|proofKey/u);
    assert.doesNotMatch([...values.keys()].join(), /secret/u);
    assert.deepEqual((await credentials.tokens(origin))?.proofKey, tokens.proofKey);
  });

  it('AUTH-33 (legacy): takes the newest tokens of all windows, and its own when those handed over are older', async () => {
    const place = memoryPlace();
    const [one, other] = [memoryStore(new Map(), place), memoryStore(new Map(), place)].map(
      (store) => new Credentials(store, userEntry),
    );
    assert.ok(one && other);
    const origin = { issuer: 'https://one', resource: 'https://r' };
    const first = nextFamily(undefined);
    const second = nextFamily(first);
    await one.setTokens(origin, { ...tokens, family: first });
    await other.setTokens(origin, { ...tokens, accessToken: 'newer', family: second });
    assert.equal((await one.tokens(origin))?.accessToken, 'newer');
    await one.setTokens(origin, { ...tokens, family: first });
    assert.equal((await other.tokens(origin))?.accessToken, 'newer');
  });

  it('FLOW-15, DPOP-04 (2026), AUTH-32 (legacy): lists names and times, no values, and whose they are', async () => {
    const values = new Map([['mcpHost.input/x', 'other']]);
    const store = memoryStore(values);
    const credentials = new Credentials(store, userEntry);
    await credentials.addRegistration('https://one', registration);
    await credentials.setTokens({ issuer: 'https://one', resource: 'https://r' }, tokens);
    const list = await storedItems(store);
    assert.deepEqual(list, [
      { kind: 'registration', owner: userEntry, issuer: 'https://one', clientId: 'c' },
      {
        kind: 'tokens',
        owner: userEntry,
        issuer: 'https://one',
        resource: 'https://r',
        expiresAt: 2,
        canRefresh: true,
        scope: 'a',
      },
    ]);
    assert.doesNotMatch(JSON.stringify(list), /secret/u);
  });

  it('keeps what belongs to one owner from every other, whatever its names hold', async () => {
    const store = memoryStore();
    const origin = { issuer: 'https://one', resource: 'https://r' };
    const credentials = new Credentials(store, userEntry);
    await credentials.addRegistration('https://one', registration);
    await credentials.setTokens(origin, tokens);
    await credentials.setOrigin(origin);
    await credentials.setClientIssuer('mine', 'https://one');
    for (const other of [
      { scope: 'workspace file:///w' },
      { server: 'other' },
      { url: 'https://s/other' },
      { route: 'proxy' },
      { scope: 'user","notes', server: '' },
    ]) {
      const others = new Credentials(store, { ...userEntry, ...other });
      assert.deepEqual(await others.registrations('https://one'), []);
      assert.equal(await others.tokens(origin), undefined);
      assert.equal(await others.origin(), undefined);
      assert.equal(await others.clientIssuer('mine'), undefined);
      await others.forgetRegistration('https://one');
      await others.forgetTokens(origin);
    }
    assert.deepEqual(await credentials.tokens(origin), tokens);
    assert.deepEqual(await credentials.registrations('https://one'), [registration]);
  });

  it('counts what does not parse, or is of another shape, as absent', async () => {
    const values = new Map<string, string>();
    const origin = { issuer: 'https://one', resource: 'https://r' };
    const credentials = new Credentials(memoryStore(values), userEntry);
    await credentials.setTokens(origin, tokens);
    const [key = ''] = values.keys();
    for (const text of ['{', 'null', '[]', '{"accessToken":1}']) {
      values.set(key, text);
      assert.equal(await credentials.tokens(origin), undefined);
      assert.deepEqual(await storedItems(memoryStore(values)), []);
    }
  });

  it('forgets tokens, and that there were any, unless the server is signed in to elsewhere by now', async () => {
    const credentials = new Credentials(memoryStore(), userEntry);
    const [before, now] = ['https://one', 'https://two'].map((issuer) => ({
      issuer,
      resource: 'https://r',
    }));
    assert.ok(before && now);
    await credentials.setTokens(before, tokens);
    await credentials.setTokens(now, tokens);
    await credentials.setOrigin(now);
    await credentials.forgetTokens(before);
    assert.equal(await credentials.tokens(before), undefined);
    await credentials.forgetTokens({ ...now, resource: 'https://r/mcp' });
    assert.deepEqual(await credentials.origin(), now);
    await credentials.forgetTokens(now);
    assert.equal(await credentials.origin(), undefined);
  });
});
