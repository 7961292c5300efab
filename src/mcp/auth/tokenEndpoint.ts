/** Token requests that need no user: refresh, client credentials, and exchanges of assertions. */
import { t } from '../../base/l10n.ts';
import * as oauth from 'oauth4webapi';
import { McpError } from '../errors.ts';
import type { AuthFetch } from './authFetch.ts';
import type { EnterpriseGrant } from './authSettings.ts';
import type { ClientIdentity } from './clientIdentity.ts';
import type { ProofKey, Tokens } from './credentials.ts';
import { oauthOptions, readable } from './oauthCall.ts';
import { proofHandle } from './proofKeys.ts';

/** Identifies the requested tokens. */
export interface TokenRequest {
  readonly server: oauth.AuthorizationServer;
  /** RFC 8707. */
  readonly resource: string;
  /** Space-separated; undefined to request no particular scope. */
  readonly scope: string | undefined;
  readonly fetch: AuthFetch;
  readonly proofKey: ProofKey | undefined;
}

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** @throws OAuthRefusal, with `invalid_grant` when the refresh token is no longer valid */
export function refresh(
  request: TokenRequest,
  identity: ClientIdentity,
  tokens: Tokens & { readonly refreshToken: string },
): Promise<Tokens> {
  const { server, resource } = request;
  const { client, authentication } = identity;
  return tokensFrom(request, identity, tokens, async (options) =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refreshToken, {
        ...options,
        additionalParameters: { resource },
      }),
    ),
  );
}

/**
 * Revokes a token (RFC 7009), if the server supports that.
 * @throws OAuthRefusal
 */
export async function revoke(
  server: oauth.AuthorizationServer,
  { client, authentication }: ClientIdentity,
  token: string,
  fetch: AuthFetch,
): Promise<void> {
  if (server.revocation_endpoint !== undefined) {
    await readable({ issuer: server.issuer, wanted: 'revocation' }, async () =>
      oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, authentication, token, oauthOptions(fetch)),
      ),
    );
  }
}

/**
 * Requests tokens with the client's own credentials
 * (https://modelcontextprotocol.io/extensions/auth/oauth-client-credentials), or for an assertion (RFC 7523): an ID-JAG,
 * or the token of a workload.
 */
export function requestTokens(
  request: TokenRequest,
  identity: ClientIdentity,
  grantType: string,
  proof: { readonly assertion?: string } = {},
): Promise<Tokens> {
  const { server } = request;
  const { client, authentication } = identity;
  return tokensFrom(request, identity, undefined, async (options) =>
    oauth.processGenericTokenEndpointResponse(
      server,
      client,
      await oauth.genericTokenEndpointRequest(
        server,
        client,
        authentication,
        grantType,
        { ...resourceAndScope(request), ...proof },
        options,
      ),
    ),
  );
}

/**
 * Exchanges the enterprise's identity assertion for an ID-JAG, which the MCP server's authorization server
 * accepts (RFC 8693).
 * https://modelcontextprotocol.io/extensions/auth/enterprise-managed-authorization
 * @returns the ID-JAG, which is for that authorization server only
 */
export function exchangeIdentity(request: TokenRequest, grant: EnterpriseGrant): Promise<string> {
  const idp: oauth.AuthorizationServer = {
    issuer: new URL(grant.idpTokenEndpoint).origin,
    token_endpoint: grant.idpTokenEndpoint,
  };
  const client = { client_id: grant.idpClientId };
  const { idpClientSecret: secret } = grant;
  return readable({ issuer: idp.issuer, wanted: 'identityExchange' }, async () => {
    const answer = await oauth.processGenericTokenEndpointResponse(
      idp,
      client,
      await oauth.genericTokenEndpointRequest(
        idp,
        client,
        secret === undefined ? oauth.None() : oauth.ClientSecretPost(secret),
        tokenExchange,
        {
          ...resourceAndScope(request),
          requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
          audience: request.server.issuer,
          subject_token: grant.idToken,
          subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        },
        oauthOptions(request.fetch),
      ),
      { recognizedTokenTypes: { n_a: () => undefined } },
    );
    return answer.access_token;
  });
}

/** A client identified only by its assertion sends neither id nor secret. */
export const anonymous: ClientIdentity = {
  kind: 'preregistered',
  client: { client_id: 'none' },
  authentication: () => undefined,
};

/**
 * Runs a token request, and repeats it with a nonce if the server asks for one (RFC 9449 section 8).
 * @param before the tokens to renew, if any
 */
export async function tokensFrom(
  { server, scope, fetch, proofKey }: TokenRequest,
  identity: ClientIdentity,
  before: Tokens | undefined,
  send: (options: oauth.TokenEndpointRequestOptions) => Promise<oauth.TokenEndpointResponse>,
): Promise<Tokens> {
  const proof = proofKey === undefined ? {} : { DPoP: await proofHandle(proofKey) };
  const options: oauth.TokenEndpointRequestOptions = { ...oauthOptions(fetch), ...proof };
  const wanted = before === undefined ? 'tokens' : 'refresh';
  const call = { issuer: server.issuer, wanted, client: identity.kind } as const;
  const answer = await readable(call, async () => {
    try {
      return await send(options);
    } catch (error) {
      if (proofKey !== undefined && oauth.isDPoPNonceError(error)) {
        return send(options);
      }
      throw error;
    }
  });
  checkSendable(answer, server.issuer);
  return toTokens(answer, identity, scope, before, proofKey);
}

/** RFC 6749 appendix A.12. Any other token would fail when a header is made of it, in an error that quotes it. */
function checkSendable({ access_token: token }: oauth.TokenEndpointResponse, issuer: string): void {
  if (!/^[\u0020-\u007e]+$/u.test(token)) {
    const text = t(
      '{0} issued an access token with a character that a header cannot hold. Whoever runs the server has to fix that.',
      issuer,
    );
    throw new McpError('unauthorized', text);
  }
}

function toTokens(
  answer: oauth.TokenEndpointResponse,
  { client }: ClientIdentity,
  asked: string | undefined,
  before: Tokens | undefined,
  proofKey: ProofKey | undefined,
): Tokens {
  const obtainedAt = Date.now();
  return {
    accessToken: answer.access_token,
    tokenType: answer.token_type === 'dpop' ? 'dpop' : 'bearer',
    clientId: client.client_id,
    obtainedAt,
    expiresAt: answer.expires_in === undefined ? undefined : obtainedAt + answer.expires_in * 1000,
    refreshToken: answer.refresh_token ?? before?.refreshToken,
    scope: answer.scope ?? asked,
    asked: before?.asked ?? asked,
    proofKey,
  };
}

function resourceAndScope({ resource, scope }: TokenRequest): Record<string, string> {
  return scope === undefined ? { resource } : { resource, scope };
}
