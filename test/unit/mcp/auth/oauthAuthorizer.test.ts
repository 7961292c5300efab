import assert from 'node:assert/strict';
import { delay } from '../../../../src/base/async.ts';
import type { AuthSettings } from '../../../../src/mcp/auth/authSettings.ts';
import { Credentials, type StoredTokens } from '../../../../src/mcp/auth/credentials.ts';
import { OAuthAuthorizer } from '../../../../src/mcp/auth/oauthAuthorizer.ts';
import { nextFamily } from '../../../../src/mcp/auth/tokenFamily.ts';
import { deferred } from '../../../support/deferred.ts';
import { memoryStore, userEntry } from '../../../support/memoryStore.ts';

const never = new AbortController().signal;
const refusal = { status: 401, sent: undefined, attempt: 0 };

async function authorizerAt(
  url: string,
  held: Partial<StoredTokens> = {},
  settings: Partial<AuthSettings> = { clientId: 'c' },
) {
  const asked: string[] = [];
  const answers = new Map<string, () => Response | Promise<Response>>();
  const serverUrl = new URL(url);
  const credentials = new Credentials(memoryStore(), userEntry);
  const origin = { issuer: 'https://as', resource: url };
  await credentials.setOrigin(origin);
  await credentials.setClientIssuer('c', origin.issuer);
  await credentials.setTokens(origin, {
    accessToken: 'held',
    tokenType: 'bearer',
    clientId: 'c',
    obtainedAt: Date.now(),
    family: nextFamily(undefined),
    ...held,
  });
  const authorizer = new OAuthAuthorizer({
    serverUrl,
    settings: { grant: { kind: 'authorizationCode' }, dpop: false, ...settings },
    credentials,
    user: {
      prepareRedirect: () => Promise.reject(new Error('nobody is here')),
      chooseIssuer: () => Promise.reject(new Error('nobody is here')),
      hasAccounts: () => false,
      accountToken: async () => undefined,
    },
    fetch: async (target) => {
      asked.push(String(target));
      return answers.get(String(target))?.() ?? new Response('', { status: 404 });
    },
    clientName: 'MCP Host',
    readSecret: () => Promise.reject(new Error('no file is named')),
    allowsOriginFallback: false,
    log: () => undefined,
  });
  return { authorizer, asked, answers };
}

describe('OAuthAuthorizer', () => {
  it('FLOW-13, FLOW-14 (2026), AUTH-31 (legacy): has headers for the origin of its server, and for no other', async () => {
    const { authorizer } = await authorizerAt('https://h/mcp');
    const headers = await authorizer.headersFor('POST', new URL('https://h/mcp/messages'));
    assert.deepEqual(headers, { authorization: 'Bearer held' });
    for (const other of [
      'https://h:8443/mcp',
      'http://h/mcp',
      'https://evil.h/mcp',
      'https://evil/h',
    ]) {
      assert.equal(await authorizer.headersFor('POST', new URL(other)), undefined, other);
    }
  });

  it('gets no token that would go over the network without encryption', async () => {
    const { authorizer, asked } = await authorizerAt('http://mcp.example/mcp');
    await assert.rejects(authorizer.onRefused(refusal, never), /use its https:\/\/ URL/u);
    assert.deepEqual(asked, []);
  });

  it('AUTH-34 (legacy): takes a 403 without a challenge for an answer about something else', async () => {
    const { authorizer, asked } = await authorizerAt('https://h/mcp');
    assert.equal(await authorizer.onRefused({ ...refusal, status: 403 }, never), false);
    assert.deepEqual(asked, []);
  });

  it('a request that was refused with a token of before is sent again with the one of now', async () => {
    const { authorizer, asked } = await authorizerAt('https://h/mcp');
    const sent = { authorization: 'Bearer older' };
    assert.equal(await authorizer.onRefused({ ...refusal, sent }, never), true);
    assert.deepEqual(asked, []);
  });

  it('what goes wrong on the way to a token is no answer of the server about the protocol', async () => {
    const { authorizer } = await authorizerAt('https://h/mcp');
    const wwwAuthenticate = 'Bearer resource_metadata="https://h/gone"';
    await assert.rejects(authorizer.onRefused({ ...refusal, wwwAuthenticate }, never), {
      code: 'unauthorized',
    });
  });

  it('renews without reading again what the authorization server publishes', async () => {
    const ending = { obtainedAt: 0, expiresAt: 1, refreshToken: 'r' };
    const { authorizer, asked, answers } = await authorizerAt('https://h/mcp', ending);
    const metadata = 'https://as/.well-known/oauth-authorization-server';
    const token_endpoint = 'https://as/token';
    answers.set(metadata, () => Response.json({ issuer: 'https://as', token_endpoint }));
    let count = 0;
    answers.set(token_endpoint, () => {
      count += 1;
      return Response.json({ access_token: `${count}`, token_type: 'Bearer', expires_in: 0 });
    });
    for (const expected of ['Bearer 1', 'Bearer 2']) {
      await delay(5); // a token that ends at once is valid for this millisecond
      const headers = await authorizer.headersFor('POST', new URL('https://h/mcp'));
      assert.deepEqual(headers, { authorization: expected });
    }
    assert.deepEqual(asked, [metadata, token_endpoint, token_endpoint]);
  });

  it('a refusal waits for a renewal that began before it, and signs in where that has failed', async () => {
    const ending = { obtainedAt: 0, expiresAt: 1, refreshToken: 'r' };
    const { authorizer, answers } = await authorizerAt('https://h/mcp', ending);
    const [asked, answer] = [deferred<void>(), deferred<Response>()];
    const ends = {
      authorization_endpoint: 'https://as/authorize',
      token_endpoint: 'https://as/token',
      code_challenge_methods_supported: ['S256'],
    };
    const issuer = 'https://as';
    answers.set(`${issuer}/.well-known/oauth-authorization-server`, () =>
      Response.json({ issuer, ...ends }),
    );
    answers.set('https://h/.well-known/oauth-protected-resource/mcp', () =>
      Response.json({ resource: 'https://h/mcp', authorization_servers: [issuer] }),
    );
    answers.set(ends.token_endpoint, () => {
      asked.resolve();
      return answer.promise;
    });
    const renewing = authorizer.headersFor('POST', new URL('https://h/mcp'));
    await asked.promise;
    const sent = { authorization: 'Bearer held' };
    const refused = authorizer.onRefused({ ...refusal, sent }, never);
    answer.resolve(Response.json({ error: 'server_error' }, { status: 400 }));
    answers.set(ends.token_endpoint, () =>
      Response.json({ error: 'invalid_request' }, { status: 400 }),
    );
    assert.deepEqual(await renewing, sent);
    await assert.rejects(refused, /nobody is here/u);
  });

  const clientCredentials = { kind: 'clientCredentials' } as const;
  const workload = { kind: 'workloadIdentity', assertion: 'a.b.c' } as const;
  for (const [what, settings] of [
    ['another client', { grant: clientCredentials, clientId: 'new', clientSecret: 's' }],
    [
      'another issuer, for a client without a user',
      { grant: clientCredentials, clientId: 'c', clientSecret: 's', issuer: 'https://new' },
    ],
    ['another issuer', { clientId: 'c', clientSecret: 's', issuer: 'https://new' }],
    ['an assertion', { grant: workload }],
  ] as const) {
    it(`REG-10, REG-12 (2026): an entry that now has ${what} shows nothing of it to the issuer of before`, async () => {
      const ending = { obtainedAt: 0, expiresAt: 1, refreshToken: 'r' };
      const { authorizer, asked, answers } = await authorizerAt('https://h/mcp', ending, settings);
      const metadata = 'https://as/.well-known/oauth-authorization-server';
      const ends = {
        token_endpoint: 'https://as/token',
        revocation_endpoint: 'https://as/revoke',
      };
      answers.set(metadata, () => Response.json({ issuer: 'https://as', ...ends }));
      const headers = await authorizer.headersFor('POST', new URL('https://h/mcp'));
      assert.deepEqual(headers, { authorization: 'Bearer held' });
      await authorizer.signOut();
      assert.deepEqual(asked, [metadata]);
    });
  }
});
