import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it } from 'mocha';
import { noFile } from '../../../support/noFile.ts';
import { programsAt } from '../../../support/programs.ts';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import { resolveLaunch } from '../../../../src/host/launch/resolveLaunch.ts';

const inputs = [{ id: 'secret', type: 'promptString', password: true }];
const url = 'https://mcp.example/x';

function parse(entry: object) {
  return parseConfig([{ scope: { kind: 'workspace' }, servers: { srv: entry }, inputs }]);
}

function problemsOf(oauth: unknown, more: object = { url }): readonly string[] {
  return parse({ ...more, oauth }).problems.map(({ field, message }) => `${field}: ${message}`);
}

async function resolve(entry: object, files: Readonly<Record<string, string>> = {}) {
  const { servers, problems } = parse(entry);
  assert.deepEqual(problems, []);
  const [server] = servers;
  assert.ok(server);
  const { launch, secrets } = await resolveLaunch(server, {
    machine: {
      programs: programsAt([]),
      platform: 'posix',
      userHome: '/home/u',
      env: { ISSUER: 'https://login.example' },
      readFile: async (path) => files[path] ?? Promise.reject(noFile(path)),
    },
    folders: [{ uri: 'file:///w', name: 'w', path: '/w' }],
    inputOf: (id) => {
      assert.equal(id, 'secret');
      return { id, description: '', type: 'promptString', password: true };
    },
    valueOf: async () => 'typed-secret',
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
      assertionFile: '/w/token',
    });
  });

  it('AUTH-32 (legacy): refuses a secret in plain text, and says the way out', () => {
    for (const oauth of [
      { clientId: 'a', clientSecret: 'hunter2' },
      { clientId: 'a', clientSecret: 'x${input:secret}' },
    ]) {
      const [problem = ''] = problemsOf(oauth);
      assert.match(
        problem,
        /^oauth\.clientSecret: must not be written in the settings in plain text/u,
      );
      assert.match(problem, /"password": true/u);
      assert.ok(!problem.includes('hunter2'));
      assert.deepEqual(parse({ url, oauth }).servers, []);
    }
  });

  it('says what is wrong with each field', () => {
    assert.deepEqual(problemsOf(true), [
      'oauth: must be an object or false, not a boolean: leave it out, signing in is on by default',
    ]);
    assert.deepEqual(problemsOf({ callbackPort: 70_000 }), [
      'oauth.callbackPort: must be a port: a whole number from 1 to 65535',
    ]);
    assert.deepEqual(problemsOf({ client_id: 'x' }), [
      'oauth.client_id: has no effect; did you mean `clientId`?',
    ]);
    assert.match(problemsOf({ scopes: 'read write' })[0] ?? '', /must be a list of texts/u);
    assert.match(problemsOf({ issuer: 'login.example' })[0] ?? '', /begins with https/u);
    assert.match(
      problemsOf({ clientMetadataUrl: 'https://client.example/' })[0] ?? '',
      /URL with a path/u,
    );
    assert.match(problemsOf({ grant: 'clientCredentials' })[0] ?? '', /needs `clientId`/u);
    assert.match(problemsOf({ grant: 'workloadIdentity' })[0] ?? '', /needs `assertionFile`/u);
    assert.match(problemsOf({ grant: 'password' })[0] ?? '', /must be "authorizationCode"/u);
    assert.deepEqual(problemsOf({ privateKey: {} }), ['oauth.privateKey.file: is missing']);
    assert.deepEqual(problemsOf({}, { command: 'x' }), [
      'oauth: has no effect: it belongs to servers with `url`',
    ]);
  });

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
