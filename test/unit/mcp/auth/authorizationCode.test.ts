import assert from 'node:assert/strict';
import { signIn, type SignInUser } from '../../../../src/mcp/auth/authorizationCode.ts';
import { Credentials } from '../../../../src/mcp/auth/credentials.ts';
import { memoryStore, userEntry } from '../../../support/memoryStore.ts';

const issuer = 'https://as.example';
const resource = 'https://mcp.example';
const fetch = () => assert.fail();

/** The page that a browser would open, of a server whose metadata name this one. */
async function pageFrom(endpoint: string, scope?: string): Promise<URL> {
  let opened: URL | undefined;
  const user: SignInUser = {
    prepareRedirect: async () => ({
      uri: 'http://127.0.0.1:1/callback',
      follow: (url) => {
        opened = url;
        return Promise.reject(new Error('enough'));
      },
      finish: () => undefined,
      dispose: () => undefined,
    }),
  };
  const server = {
    issuer,
    authorization_endpoint: endpoint,
    token_endpoint: `${issuer}/token`,
    code_challenge_methods_supported: ['S256'],
  };
  await assert.rejects(
    signIn(
      { server, resource, scope, reason: 'first', fetch, proofKey: undefined },
      {
        server,
        settings: { grant: { kind: 'authorizationCode' }, dpop: false, clientId: 'c' },
        credentials: new Credentials(memoryStore(), userEntry),
        fetch,
        clientName: 'x',
      },
      user,
      new AbortController().signal,
    ),
    { message: 'enough' },
  );
  return opened ?? assert.fail();
}

describe('signIn', () => {
  it('AUTH-21, AUTH-23, SEC-14 (legacy): asks for the scopes that were shown, names each parameter once, and asks for nothing that the address of the page adds', async () => {
    const more = ['scope=payments', 'authorization_details=x', 'claims=x', 'request=x'].join('&');
    const ours = ['redirect_uri', 'state', 'client_id', 'resource'];
    const twice = ours.map((name) => `${name}=https://evil.example/`).join('&');
    const endpoint = `${issuer}/authorize?tenant=1&${more}&request_uri=x&${twice}`;
    for (const scope of [undefined, 'notes']) {
      const { searchParams: query } = await pageFrom(endpoint, scope);
      assert.equal(query.get('scope') ?? undefined, scope);
      assert.equal(query.get('tenant'), '1');
      for (const name of ['authorization_details', 'claims', 'request', 'request_uri']) {
        assert.equal(query.has(name), false, name);
      }
      for (const name of ours) {
        assert.equal(query.getAll(name).length, 1, name);
      }
    }
  });
});
