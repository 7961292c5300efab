import assert from 'node:assert/strict';
import type { AuthFetch } from '../../../../src/mcp/auth/authFetch.ts';
import { isMcpError } from '../../../../src/mcp/errors.ts';
import { isRefusal, OAuthRefusal, type RefusedAnswer } from '../../../../src/mcp/auth/oauthCall.ts';
import { refresh, tokensFrom } from '../../../../src/mcp/auth/tokenEndpoint.ts';
import { registeredIdentity } from '../../../../src/mcp/auth/clientIdentity.ts';

const issuer = 'https://login.example';
const byHand =
  /Register a client there by hand and set "oauth\.clientId" of this server to its id\.$/u;
const forget = /Run "MCP Host: Forget This Client Registration" and sign in again\.$/u;
const later = /Try again later: the authorization server does not work at the moment\.$/u;
const again = /Sign in again\.$/u;

const cases: readonly (readonly [Omit<RefusedAnswer, 'issuer'>, RegExp])[] = [
  [
    { wanted: 'signIn', error: 'access_denied' },
    /did not sign you in: access_denied\. Sign in again and allow it, or ask whoever runs the server for access\.$/u,
  ],
  [
    { wanted: 'signIn', error: 'invalid_scope' },
    /Set "oauth\.scopes" of this server to permissions/u,
  ],
  [{ wanted: 'signIn', error: 'server_error' }, later],
  [{ wanted: 'signIn', error: 'temporarily_unavailable' }, later],
  [{ wanted: 'signIn', error: 'login_required' }, again],
  [
    { wanted: 'signIn', error: 'invalid_request' },
    /Sign in again; if that does not help, ask whoever runs/u,
  ],
  [{ wanted: 'signIn', error: 'unsupported_response_type' }, /choose another "oauth\.grant"/u],
  [{ wanted: 'signIn', error: 'unauthorized_client', client: 'registered' }, byHand],
  [{ wanted: 'signIn', error: 'unauthorized_client', client: 'metadataDocument' }, byHand],
  [
    { wanted: 'signIn', error: 'unauthorized_client', client: 'preregistered' },
    /The client of "oauth\.clientId" may not sign in this way/u,
  ],
  [{ wanted: 'tokens', error: 'invalid_client', client: 'registered' }, forget],
  [{ wanted: 'tokens', error: 'invalid_client' }, forget],
  [
    { wanted: 'tokens', error: 'invalid_client', client: 'preregistered' },
    /Check whether "oauth\.clientId" of this server and its secret or key/u,
  ],
  [
    { wanted: 'tokens', error: 'invalid_client', client: 'metadataDocument' },
    /can read the client metadata document/u,
  ],
  [
    { wanted: 'tokens', error: 'invalid_grant' },
    /no longer accepts what was sent: sign in again\.$/u,
  ],
  [{ wanted: 'tokens', error: 'invalid_target' }, /It issues no tokens for this server/u],
  [{ wanted: 'tokens', error: 'unsupported_grant_type' }, /choose another "oauth\.grant"/u],
  [{ wanted: 'tokens', error: 'invalid_dpop_proof' }, /clock of this machine/u],
  [
    { wanted: 'tokens', error: 'of_its_own_making' },
    /ask whoever runs the authorization server\.$/u,
  ],
  [
    { wanted: 'refresh', error: 'invalid_grant' },
    /did not renew the token: invalid_grant\. Sign in again\.$/u,
  ],
  [{ wanted: 'refresh', error: 'invalid_client', client: 'registered' }, again],
  [{ wanted: 'refresh', error: 'temporarily_unavailable' }, later],
  [{ wanted: 'registration', error: 'invalid_redirect_uri' }, byHand],
  [{ wanted: 'registration', error: 'invalid_client_metadata' }, byHand],
  [{ wanted: 'registration', error: 'server_error' }, later],
  [
    { wanted: 'identityExchange', error: 'invalid_grant' },
    /refused the exchange of the identity: invalid_grant\. Check whether the identity token of this server has expired: set a new one in "oauth\.identityProvider\.idToken"\.$/u,
  ],
  [{ wanted: 'identityExchange', error: 'invalid_request' }, /identity token .* has expired/u],
  [{ wanted: 'identityExchange', error: 'server_error' }, later],
];

describe('OAuthRefusal', () => {
  for (const [answer, expected] of cases) {
    const { wanted, error, client } = answer;
    it(`AUTH-34 (legacy): says what to do about ${error} to ${wanted}${client === undefined ? '' : ` of a client that is ${client}`}`, () => {
      const refusal = new OAuthRefusal({ issuer, ...answer });
      assert.match(refusal.message, expected);
      assert.ok(refusal.message.startsWith(`${issuer} `), refusal.message);
      assert.equal(refusal.code, 'unauthorized');
      assert.ok(isRefusal(refusal, error));
    });
  }

  it('quotes the server, and leaves room for what to do', () => {
    const description = 'x'.repeat(5_000);
    const { message } = new OAuthRefusal({
      issuer,
      wanted: 'signIn',
      error: 'access_denied',
      description,
    });
    assert.match(message, /access_denied, "x{159}…"\. Sign in again and allow it/u);
    const endless = new OAuthRefusal({ issuer, wanted: 'signIn', error: description });
    assert.ok(endless.message.length < 250);
  });
});

describe('what a token endpoint answers', () => {
  const identity = registeredIdentity({
    clientId: 'c',
    clientSecret: 'client-secret',
    authenticationMethod: 'client_secret_basic',
    redirectUri: 'http://127.0.0.1/',
  });
  const tokens = {
    accessToken: 'old-access',
    refreshToken: 'refresh-secret',
    tokenType: 'bearer',
    clientId: 'c',
    obtainedAt: 0,
  } as const;

  const answered = async (response: () => Response): Promise<Error & { error?: string }> => {
    const fetch: AuthFetch = async () => response();
    const server = { issuer, token_endpoint: `${issuer}/token` };
    const request = { server, resource: 'https://h', scope: 'a', fetch, proofKey: undefined };
    const failure: unknown = await refresh(request, identity, tokens).catch(
      (error: unknown) => error,
    );
    assert.ok(isMcpError(failure), String(failure));
    return failure;
  };

  it('is read beside a WWW-Authenticate, as a client with a secret is refused (RFC 6749 section 5.2)', async () => {
    const failure = await answered(() =>
      Response.json(
        { error: 'invalid_client' },
        { status: 401, headers: { 'www-authenticate': 'Basic realm="login"' } },
      ),
    );
    assert.ok(isRefusal(failure, 'invalid_client'));
  });

  it('is read from an answer of HTTP 500, and of another type than JSON', async () => {
    const refused = await answered(() => Response.json({ error: 'server_error' }, { status: 503 }));
    assert.ok(isRefusal(refused, 'server_error'));
    const asText = await answered(() => new Response('{"error":"invalid_grant"}', { status: 400 }));
    assert.ok(isRefusal(asText, 'invalid_grant'));
  });

  for (const status of [408, 425, 429, 500, 502, 503]) {
    it(`is trouble that passes: HTTP ${status} without words of OAuth`, async () => {
      const failure = await answered(() => new Response('<html>secret page', { status }));
      assert.match(
        failure.message,
        new RegExp(
          `does not work at the moment: it answered with HTTP ${status}\\. Try again`,
          'u',
        ),
      );
      assert.doesNotMatch(failure.message, /secret/u);
    });
  }

  it('is named where it breaks OAuth, without a word of what it may hold', async () => {
    for (const response of [
      () => new Response('secret', { status: 404 }),
      () =>
        new Response('{"access_token":"secret"', {
          headers: { 'content-type': 'application/json' },
        }),
      () => Response.json({ access_token: 'secret' }),
      () => Response.json({ error: 7, description: 'secret' }, { status: 400 }),
      () => Response.json(['secret'], { status: 400 }),
    ]) {
      const failure = await answered(response);
      assert.equal(Reflect.get(failure, 'code'), 'protocol');
      assert.match(failure.message, /answered in a way that cannot be used/u);
      assert.doesNotMatch(`${failure.stack}${JSON.stringify(failure)}`, /secret/u);
    }
  });

  it('AUTH-33 (legacy): replaces the refresh token only with another one', async () => {
    const answer = Response.json({ access_token: 'new', token_type: 'Bearer' });
    const fetch: AuthFetch = async () => answer;
    const server = { issuer, token_endpoint: `${issuer}/token` };
    const request = { server, resource: 'https://h', scope: 'a', fetch, proofKey: undefined };
    const { accessToken, refreshToken } = await refresh(request, identity, tokens);
    assert.deepEqual([accessToken, refreshToken], ['new', 'refresh-secret']);
  });

  it('leaves what went wrong before it as it is', async () => {
    const gone = new TypeError('no network');
    const fetch: AuthFetch = () => Promise.reject(gone);
    const server = { issuer };
    const request = { server, resource: 'https://h', scope: 'a', fetch, proofKey: undefined };
    const failure = tokensFrom(request, identity, undefined, () => Promise.reject(gone));
    await assert.rejects(failure, { code: 'protocol', message: /no network/u });
  });
});
