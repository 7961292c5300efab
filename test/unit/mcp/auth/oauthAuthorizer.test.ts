import assert from 'node:assert/strict';
import { delay } from '../../../../src/base/async.ts';
import type { AuthSettings } from '../../../../src/mcp/auth/authSettings.ts';
import { Credentials, type StoredTokens } from '../../../../src/mcp/auth/credentials.ts';
import { OAuthAuthorizer, type OAuthParts } from '../../../../src/mcp/auth/oauthAuthorizer.ts';
import { generateProofKey } from '../../../../src/mcp/auth/proofKeys.ts';
import { nextFamily } from '../../../../src/mcp/auth/tokenFamily.ts';
import { deferred } from '../../../support/deferred.ts';
import { memoryStore, userEntry } from '../../../support/memoryStore.ts';
import { withTimeJumps } from '../../../support/timeJump.ts';
import { turns } from '../../../support/waitUntil.ts';

const never = new AbortController().signal;
const refusal = { status: 401, sent: undefined, attempt: 0 };

async function authorizerAt(
  url: string,
  held: Partial<StoredTokens> = {},
  settings: Partial<AuthSettings> = { clientId: 'c' },
  accountToken: OAuthParts['user']['accountToken'] = async () => undefined,
) {
  const asked: string[] = [];
  const forms: URLSearchParams[] = [];
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
      accountToken,
    },
    fetch: async (target, { body } = {}) => {
      asked.push(String(target));
      forms.push(new URLSearchParams(String(body ?? '')));
      return answers.get(String(target))?.() ?? new Response('', { status: 404 });
    },
    clientName: 'MCP Host',
    readSecret: () => Promise.reject(new Error('no file is named')),
    allowsOriginFallback: false,
    log: () => undefined,
  });
  /** Lets the server name an issuer, which publishes where it is to be asked. */
  const signsInAt = (issuer: string): void => {
    answers.set(`${serverUrl.origin}/.well-known/oauth-protected-resource/mcp`, () =>
      Response.json({ resource: url, authorization_servers: [issuer] }),
    );
    answers.set(`${issuer}/.well-known/oauth-authorization-server`, () =>
      Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        revocation_endpoint: `${issuer}/revoke`,
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ['offline_access'],
      }),
    );
  };
  return { authorizer, credentials, origin, asked, forms, answers, signsInAt };
}

const mcp = new URL('https://h/mcp');
const issued = (token = 'new', members: object = {}): Response =>
  Response.json({ access_token: token, token_type: 'Bearer', ...members });

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

  it('DPOP-03 (2026): a bound token that is refused is sent again with a nonce, else renewed with its key', async () => {
    const proofKey = await generateProofKey({ issuer: 'https://as' });
    const bound = { tokenType: 'dpop', proofKey } as const;
    const { authorizer, asked } = await authorizerAt('https://h/mcp', bound);
    const sent = await authorizer.headersFor('POST', mcp);
    const withNonce = { ...refusal, sent, dpopNonce: 'n' };
    assert.equal(await authorizer.onRefused(withNonce, never), true);
    assert.deepEqual(asked, []);
    await assert.rejects(
      authorizer.onRefused({ ...refusal, sent }, never),
      /names no authorization/u,
    );
    const renewed = await authorizerAt('https://h/mcp', { ...bound, refreshToken: 'r' });
    renewed.signsInAt('https://as');
    renewed.answers.set('https://as/token', () => issued('new', { token_type: 'DPoP' }));
    assert.equal(await renewed.authorizer.onRefused(refusal, never), true);
    assert.ok((await renewed.authorizer.headersFor('POST', mcp))?.['dpop']);
    const stored = await renewed.credentials.tokens(renewed.origin);
    assert.deepEqual(stored?.proofKey, proofKey);
  });

  for (const answer of [
    (): Response => new Response('', { status: 503 }),
    (): Response => Response.json({ error: 'temporarily_unavailable' }, { status: 400 }),
  ]) {
    it(`AUTH-33 (legacy): nobody signs in again because a refresh is answered with HTTP ${answer().status} for a while`, async () => {
      const held = { refreshToken: 'r' };
      const { authorizer, answers, signsInAt } = await authorizerAt('https://h/mcp', held);
      signsInAt('https://as');
      answers.set('https://as/token', answer);
      await assert.rejects(authorizer.onRefused(refusal, never), /Try again later/u);
    });
  }

  it('AUTH-33 (legacy), FLOW-19 (2026): what a refresh brings is not refreshed when it is refused, and has the scopes of before', async () => {
    const held = { refreshToken: 'r', scope: 'a', asked: 'a b' };
    const scene = await authorizerAt('https://h/mcp', held);
    const { authorizer, credentials, origin, asked, answers, signsInAt } = scene;
    signsInAt('https://as');
    answers.set('https://as/token', () => issued());
    assert.equal(await authorizer.onRefused(refusal, never), true);
    const { scope, asked: requested } = (await credentials.tokens(origin)) ?? assert.fail();
    assert.deepEqual([scope, requested], ['a', 'a b']);
    const sent = await authorizer.headersFor('POST', mcp);
    const again = authorizer.onRefused({ ...refusal, sent, attempt: 1 }, never);
    await assert.rejects(again, /nobody is here/u);
    assert.equal(asked.filter((url) => url === 'https://as/token').length, 1);
  });

  it('AUTH-33 (legacy): a refresh token that another machine has used first waits for what that one got, and is forgotten where nothing comes', async () => {
    const scene = await authorizerAt('https://h/mcp', { refreshToken: 'r' });
    const { authorizer, credentials, origin, answers, signsInAt } = scene;
    signsInAt('https://as');
    let refused = deferred<void>();
    answers.set('https://as/token', () => {
      refused.resolve();
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    });
    await withTimeJumps(async (pass) => {
      const mended = authorizer.onRefused(refusal, never);
      await refused.promise;
      await turns();
      const tokens = (await credentials.tokens(origin)) ?? assert.fail();
      const family = nextFamily(tokens.family);
      await credentials.setTokens(origin, { ...tokens, accessToken: 'theirs', family });
      pass(1_500);
      assert.equal(await mended, true);
      const sent = await authorizer.headersFor('POST', mcp);
      assert.deepEqual(sent, { authorization: 'Bearer theirs' });
      refused = deferred<void>();
      const failed = assert.rejects(
        authorizer.onRefused({ ...refusal, sent }, never),
        /nobody is here/u,
      );
      await refused.promise;
      await turns();
      pass(1_500);
      await failed;
    });
    const { accessToken, refreshToken } = (await credentials.tokens(origin)) ?? assert.fail();
    assert.deepEqual([accessToken, refreshToken], ['theirs', undefined]);
  });

  for (const who of ['this window', 'another window']) {
    it(`SEC-14 (legacy): a token that comes after ${who} has signed out is revoked, not kept`, async () => {
      const ending = { obtainedAt: 0, expiresAt: 1, refreshToken: 'r' };
      const scene = await authorizerAt('https://h/mcp', ending);
      const { authorizer, credentials, origin, asked, forms, answers, signsInAt } = scene;
      signsInAt('https://as');
      const [begun, answer] = [deferred<void>(), deferred<Response>()];
      answers.set('https://as/token', () => {
        begun.resolve();
        return answer.promise;
      });
      answers.set('https://as/revoke', () => new Response(''));
      const renewing = authorizer.headersFor('POST', mcp);
      await begun.promise;
      await (who === 'this window' ? authorizer.signOut() : credentials.forgetTokens(origin));
      answer.resolve(issued());
      assert.equal(await renewing, undefined);
      assert.equal(await credentials.tokens(origin), undefined);
      assert.equal(asked.at(-1), 'https://as/revoke');
      assert.equal(forms.at(-1)?.get('token'), 'new');
    });
  }

  it('FLOW-11, FLOW-17, OCC-06 (2026): without a user, asks for the challenged scopes alone, once for all requests', async () => {
    const settings = { grant: { kind: 'clientCredentials' }, clientId: 'c' } as const;
    const held = { scope: 'old', obtainedAt: 0, expiresAt: 1 };
    const scene = await authorizerAt('https://h/mcp', held, settings);
    const { authorizer, asked, forms, answers, signsInAt } = scene;
    signsInAt('https://as');
    answers.set('https://as/token', () => issued('new', { expires_in: 3_600 }));
    const both = ['POST', 'GET'].map((method) => authorizer.headersFor(method, mcp));
    const [one, other] = await Promise.all(both);
    assert.deepEqual(
      [one, other],
      [{ authorization: 'Bearer new' }, { authorization: 'Bearer new' }],
    );
    assert.equal(asked.filter((url) => url === 'https://as/token').length, 1);
    const wwwAuthenticate = 'Bearer scope="read"';
    assert.equal(
      await authorizer.onRefused({ ...refusal, sent: one, wwwAuthenticate }, never),
      true,
    );
    assert.equal(forms.at(-1)?.get('scope'), 'read');
  });

  it('OCC-06 (2026): a token of short life is not renewed before its last fifth', async () => {
    const now = Date.now();
    const short = { obtainedAt: now - 20_000, expiresAt: now + 30_000, refreshToken: 'r' };
    const { authorizer, asked } = await authorizerAt('https://h/mcp', short);
    await authorizer.headersFor('POST', mcp);
    assert.deepEqual(asked, []);
  });

  it('REG-11 (2026): a server that moves gets the token of its new issuer, new or kept, and each is kept for its own', async () => {
    const grant = { kind: 'clientCredentials' } as const;
    const settings = { grant, clientId: 'c', issuer: 'https://two' };
    const scene = await authorizerAt('https://h/mcp', {}, settings);
    const { authorizer, credentials, origin, answers, signsInAt } = scene;
    signsInAt('https://two');
    answers.set('https://two/token', () => issued());
    assert.equal(await authorizer.onRefused(refusal, never), true);
    const tokenOf = async (issuer: string): Promise<string | undefined> =>
      (await credentials.tokens({ ...origin, issuer }))?.accessToken;
    assert.deepEqual([await tokenOf('https://as'), await tokenOf('https://two')], ['held', 'new']);

    const moved = await authorizerAt('https://h/mcp', {}, {});
    moved.signsInAt('https://two');
    const kept = (await credentials.tokens({ ...origin, issuer: 'https://two' })) ?? assert.fail();
    await moved.credentials.setTokens({ ...origin, issuer: 'https://two' }, kept);
    assert.equal(await moved.authorizer.onRefused(refusal, never), true);
    assert.deepEqual(await moved.authorizer.headersFor('POST', mcp), {
      authorization: 'Bearer new',
    });
  });

  it('asks the editor for another token of its account where the server refused the one that it gave', async () => {
    const requests: boolean[] = [];
    const accountToken: OAuthParts['user']['accountToken'] = async ({ isRefused }) => {
      requests.push(isRefused);
      return `account-${requests.length}`;
    };
    const scene = await authorizerAt('https://h/mcp', {}, { clientId: 'c' }, accountToken);
    const { authorizer, credentials, origin, signsInAt } = scene;
    await credentials.forgetTokens(origin);
    signsInAt('https://as');
    assert.equal(await authorizer.onRefused(refusal, never), true);
    const sent = await authorizer.headersFor('POST', mcp);
    assert.equal(await authorizer.onRefused({ ...refusal, sent }, never), true);
    assert.deepEqual(requests, [false, true]);
  });

  const clientCredentials = { kind: 'clientCredentials' } as const;
  const workload = { kind: 'workloadIdentity', assertion: 'a.b.c' } as const;
  for (const [what, settings] of [
    ['another client', { grant: clientCredentials, clientId: 'new', clientSecret: 's' }],
    ['another client of that issuer', { clientId: 'new', issuer: 'https://as' }],
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
