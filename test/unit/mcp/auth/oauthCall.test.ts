import assert from 'node:assert/strict';
import type { AuthFetch } from '../../../../src/mcp/auth/authFetch.ts';
import { isMcpError } from '../../../../src/mcp/errors.ts';
import { isRefusal, OAuthRefusal, type RefusedAnswer } from '../../../../src/mcp/auth/oauthCall.ts';
import { refresh } from '../../../../src/mcp/auth/tokenEndpoint.ts';
import { registeredIdentity } from '../../../../src/mcp/auth/clientIdentity.ts';

const issuer = 'https://login.example';
const byHand =
  /Register a client there by hand and set "oauth\.clientId" of this server to its id\.$/u;
const forget = /Run "MCP Host: Forget This Client Registration" and sign in again\.$/u;
const later = /Try again later: the authorization server does not work at the moment\.$/u;
const again = /Sign in again\.$/u;

const cases: readonly (readonly [
  RefusedAnswer['wanted'],
  error: string,
  RefusedAnswer['client'],
  RegExp,
])[] = [
  ['signIn', 'access_denied', undefined, /did not sign you in: access_denied\. Sign in again and/u],
  ['signIn', 'invalid_scope', undefined, /Set "oauth\.scopes" of this server to permissions/u],
  ['signIn', 'server_error', undefined, later],
  ['signIn', 'login_required', undefined, again],
  ['signIn', 'invalid_request', undefined, /if that does not help, ask whoever runs/u],
  ['signIn', 'unauthorized_client', 'metadataDocument', byHand],
  ['signIn', 'unauthorized_client', 'preregistered', /"oauth\.clientId" may not sign in this way/u],
  ['tokens', 'invalid_client', 'registered', forget],
  ['tokens', 'invalid_client', undefined, forget],
  ['tokens', 'invalid_client', 'preregistered', /and its secret or key/u],
  ['tokens', 'invalid_client', 'metadataDocument', /can read the client metadata document/u],
  ['tokens', 'invalid_grant', undefined, /no longer accepts what was sent: sign in again\.$/u],
  ['tokens', 'unsupported_grant_type', undefined, /choose another "oauth\.grant"/u],
  ['refresh', 'invalid_client', 'registered', again],
  ['refresh', 'temporarily_unavailable', undefined, later],
  ['registration', 'invalid_redirect_uri', undefined, byHand],
  ['registration', 'server_error', undefined, later],
  ['identityExchange', 'invalid_request', undefined, /identity token .* has expired/u],
  ['identityExchange', 'server_error', undefined, later],
];

describe('OAuthRefusal', () => {
  for (const [wanted, error, client, expected] of cases) {
    it(`AUTH-34 (legacy): says what to do about ${error} to ${wanted}, client: ${client}`, () => {
      const refusal = new OAuthRefusal({ issuer, wanted, error, client });
      assert.match(refusal.message, expected);
      assert.ok(refusal.message.startsWith(`${issuer} `), refusal.message);
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

  const asked = (response: () => Response): ReturnType<typeof refresh> => {
    const fetch: AuthFetch = async () => response();
    const server = { issuer, token_endpoint: `${issuer}/token` };
    const request = { server, resource: 'https://h', scope: 'a', fetch, proofKey: undefined };
    return refresh(request, identity, tokens);
  };

  const answered = async (response: () => Response): Promise<Error & { error?: string }> => {
    const failure: unknown = await asked(response).catch((error: unknown) => error);
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

  it('is trouble that passes where a status says so, without words of OAuth', async () => {
    for (const status of [429, 503]) {
      const { message } = await answered(() => new Response('<html>secret page', { status }));
      assert.match(message, new RegExp(`answered with HTTP ${status}\\. Try again later`, 'u'));
      assert.doesNotMatch(message, /secret/u);
    }
  });

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
    const { accessToken, refreshToken } = await asked(() => answer);
    assert.deepEqual([accessToken, refreshToken], ['new', 'refresh-secret']);
  });
});
