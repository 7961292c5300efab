import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { problemsOf, resolveEntry } from '../../../support/launches.ts';

const url = 'https://mcp.example/x';

async function resolve(entry: object, files: Readonly<Record<string, string>> = {}) {
  const { launch, secrets } = await resolveEntry(entry, {
    inputs: [
      { id: 'secret', type: 'promptString', password: true },
      { id: 'shown', type: 'promptString' },
    ],
    machine: { env: { ISSUER: 'https://login.example' }, files },
    answers: { secret: 'typed-secret' },
  });
  assert.ok(launch.kind !== 'stdio');
  return { auth: launch.auth, secrets };
}

describe('oauth of an entry', () => {
  it('is on by itself for a server with a URL, WebSockets included', async () => {
    const plain = { grant: { kind: 'authorizationCode' }, dpop: false };
    assert.deepEqual((await resolve({ url })).auth, plain);
    assert.deepEqual((await resolve({ url: 'wss://mcp.example/x' })).auth, plain);
  });

  it('AUTH-02 (legacy): is off with false, with an Authorization header, and for a socket of this machine', async () => {
    assert.equal((await resolve({ url, oauth: false })).auth, undefined);
    assert.equal((await resolve({ url, headers: { authorization: 'Bearer x' } })).auth, undefined);
    assert.equal((await resolve({ url: 'unix:///run/x.sock#/mcp' })).auth, undefined);
  });

  it('resolves every field, and tells the secrets', async () => {
    const { auth, secrets } = await resolve({
      url,
      oauth: {
        clientId: 'app',
        clientSecret: '${input:secret}',
        clientMetadataUrl: 'https://client.example/client.json',
        callbackPort: 8123,
        scopes: ['read', 'write'],
        issuer: '${env:ISSUER}',
        provider: 'github',
        dpop: true,
      },
    });
    assert.deepEqual(auth, {
      grant: { kind: 'authorizationCode' },
      clientId: 'app',
      clientSecret: 'typed-secret',
      clientMetadataUrl: 'https://client.example/client.json',
      redirectPort: 8123,
      scopes: ['read', 'write'],
      issuer: 'https://login.example',
      provider: 'github',
      dpop: true,
    });
    assert.ok(secrets.includes('typed-secret'));
  });

  it('OCC-02 (2026): takes client credentials by secret or key, the key from a file', async () => {
    const { auth, secrets } = await resolve(
      {
        url,
        oauth: {
          grant: 'clientCredentials',
          clientId: 'app',
          privateKey: { file: '~/key.pem', algorithm: 'RS256', keyId: 'k1' },
        },
      },
      { '/home/u/key.pem': 'PEM OF THE KEY' },
    );
    assert.deepEqual(auth, {
      grant: { kind: 'clientCredentials' },
      clientId: 'app',
      privateKey: { pem: 'PEM OF THE KEY', algorithm: 'RS256', keyId: 'k1' },
      dpop: false,
    });
    assert.ok(secrets.includes('PEM OF THE KEY'));
  });

  it('EMA-02, WIF-01 (2026): takes an identity provider, and an assertion from a file', async () => {
    const enterprise = await resolve({
      url,
      oauth: {
        grant: 'enterpriseManaged',
        clientId: 'app',
        identityProvider: {
          tokenEndpoint: 'https://idp.example/token',
          clientId: 'idp-app',
          idToken: '${input:secret}',
        },
      },
    });
    assert.deepEqual(enterprise.auth?.grant, {
      kind: 'enterpriseManaged',
      idpTokenEndpoint: 'https://idp.example/token',
      idpClientId: 'idp-app',
      idToken: 'typed-secret',
    });
    const workload = await resolve(
      { url, oauth: { grant: 'workloadIdentity', assertionFile: 'token' } },
      {}, // read for each request, not now
    );
    assert.deepEqual(workload.auth?.grant, {
      kind: 'workloadIdentity',
      assertionFile: '/w/a/token',
    });
  });

  it('SEC-11: tells each secret, even if it was typed in clear', async () => {
    const shown = '${input:shown}';
    const idp = {
      tokenEndpoint: 'https://idp.example/token',
      clientId: 'b',
      idToken: '${input:secret}',
    };
    const enterprise = { grant: 'enterpriseManaged', clientId: 'a' };
    for (const oauth of [
      { clientId: 'a', clientSecret: shown },
      { ...enterprise, identityProvider: { ...idp, clientSecret: shown } },
      { ...enterprise, identityProvider: { ...idp, idToken: shown } },
      { grant: 'workloadIdentity', assertion: shown },
    ]) {
      const { secrets } = await resolve({ url, oauth });
      assert.ok(secrets.includes('answer-shown'), JSON.stringify(oauth));
    }
  });

  it('AUTH-32 (legacy): refuses a secret in plain text, and says the way out', () => {
    for (const clientSecret of ['hunter2', 'x${input:secret}']) {
      const [problem = ''] = problemsOf({ url, oauth: { clientId: 'a', clientSecret } });
      assert.match(
        problem,
        /^oauth\.clientSecret must not hold a secret in plain text.*"password": true/u,
      );
      assert.ok(!problem.includes('hunter2'));
    }
  });

  for (const [oauth, problem] of [
    [
      true,
      /^oauth must be an object or false \(leave it out to sign in by default\), not a boolean$/u,
    ],
    [
      { callbackPort: 70_000 },
      /^oauth\.callbackPort must be a port: a whole number from 1 to 65535$/u,
    ],
    [{ client_id: 'x' }, /^oauth\.client_id has no effect; did you mean `clientId`\?$/u],
    [{ scopes: 'read write' }, /must be a list of texts/u],
    [{ issuer: 'login.example' }, /begins with https/u],
    [{ clientMetadataUrl: 'https://client.example/' }, /URL with a path/u],
    [{ grant: 'clientCredentials' }, /needs `clientId`/u],
    [{ grant: 'workloadIdentity' }, /needs `assertionFile`/u],
    [{ grant: 'password' }, /must be "authorizationCode"/u],
    [{ privateKey: {} }, /^oauth\.privateKey\.file is missing$/u],
  ] as const) {
    it(`says what is wrong with ${JSON.stringify(oauth)}`, () => {
      assert.match(problemsOf({ url, oauth })[0] ?? '', problem);
    });
  }

  it('names file and field when a key cannot be read', async () => {
    const privateKey = { file: '/gone', algorithm: 'ES256' };
    const oauth = { grant: 'clientCredentials', clientId: 'a', privateKey };
    await assert.rejects(
      resolve({ url, oauth }),
      /srv: oauth\.privateKey\.file: \/gone cannot be read/u,
    );
    const secret = { ...oauth, privateKey: { ...privateKey, file: '${input:secret}' } };
    await assert.rejects(resolve({ url, oauth: secret }), (error: Error) => {
      assert.match(error.message, /file: \$\{input:secret\} cannot be read/u);
      assert.doesNotMatch(inspect(error), /typed-secret/u);
      return true;
    });
  });
});
