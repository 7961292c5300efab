/**
 * The user's sign-in: authorization code with PKCE (OAuth 2.1 section 4.1). The response is checked before
 * anything in it is used (RFC 9207, `state`). The caller provides the redirect URI.
 */
import { t } from '../../base/l10n.ts';
import * as oauth from 'oauth4webapi';
import { McpError } from '../errors.ts';
import { isLoopback } from '../network/loopback.ts';
import { splitScope } from './challenge.ts';
import {
  bindClient,
  type ClientIdentity,
  configuredIdentity,
  type IdentityContext,
  register,
  registeredIdentity,
  usableRegistrations,
} from './clientIdentity.ts';
import type { Tokens } from './credentials.ts';
import { isRefusal, OAuthRefusal } from './oauthCall.ts';
import { type TokenRequest, tokensFrom } from './tokenEndpoint.ts';

/** The user's part in signing in. */
export interface SignInUser {
  /**
   * Prepares for the browser's return. The redirect URI may differ from the wanted one.
   * @throws McpError `cancelled`
   */
  prepareRedirect(
    wish: { readonly uri?: string; readonly port?: number },
    signal: AbortSignal,
  ): Promise<Redirect>;
}

export interface Redirect {
  readonly uri: string;
  /**
   * Tells the user where the browser goes, opens it and waits for its return.
   * @returns the unchecked parameters of the redirect
   * @throws McpError `denied`, `cancelled`
   */
  follow(url: URL, about: SignInSubject, signal: AbortSignal): Promise<URLSearchParams>;
  /** Shows the outcome in the browser. */
  finish(outcome: 'signedIn' | 'failed'): void;
  dispose(): void;
}

/** What the user sees before the browser opens. */
export interface SignInSubject {
  readonly issuer: string;
  /** The endpoint that exchanges the code for tokens. */
  readonly tokenEndpoint: string;
  readonly scope: string | undefined;
  /** Whether it is the first sign-in, one that replaces an earlier one, or one for more scopes. */
  readonly reason: 'first' | 'ended' | 'more';
}

export interface SignInRequest extends TokenRequest {
  readonly reason: SignInSubject['reason'];
}

/**
 * Signs the user in. Only this grant needs PKCE: the others have no code to steal. A registration that the
 * server has forgotten is replaced once.
 * @throws McpError `denied`, `cancelled`; OAuthRefusal; `protocol` for a server without PKCE, and for a
 *   response that must not be used
 */
export async function signIn(
  request: SignInRequest,
  context: IdentityContext,
  user: SignInUser,
  signal: AbortSignal,
): Promise<Tokens> {
  requirePkce(context.server);
  for (let isFirst = true; ; isFirst = false) {
    const { identity, redirect } = await identify(context, user, signal);
    try {
      const tokens = await run(request, identity, context, redirect, signal);
      redirect.finish('signedIn');
      return tokens;
    } catch (error) {
      redirect.finish('failed');
      if (!isOfUnknownClient(error, identity)) {
        throw error;
      }
      // The server has probably forgotten the others too, and each would cost the user another prompt.
      await context.credentials.forgetRegistration(context.server.issuer);
      if (!isFirst) {
        throw error;
      }
    } finally {
      redirect.dispose();
    }
  }
}

/** Only using a registration shows that the server has forgotten it. */
function isOfUnknownClient(error: unknown, { kind }: ClientIdentity): boolean {
  return kind === 'registered' && isRefusal(error, 'invalid_client', 'unauthorized_client');
}

/** If the metadata does not declare PKCE, the specification requires clients to refuse. */
function requirePkce({
  issuer,
  code_challenge_methods_supported: methods,
}: oauth.AuthorizationServer): void {
  if (methods?.includes('S256') !== true) {
    throw new McpError(
      'protocol',
      t(
        'The authorization server {0} does not declare PKCE with S256, and without it a code could be stolen. Whoever runs the server has to add "code_challenge_methods_supported" to its metadata.',
        issuer,
      ),
    );
  }
}

/** A registration is for one redirect URI: if that URI is not available again, the client registers again. */
async function identify(
  context: IdentityContext,
  user: SignInUser,
  signal: AbortSignal,
): Promise<{ readonly identity: ClientIdentity; readonly redirect: Redirect }> {
  const { redirectPort } = context.settings;
  const port = redirectPort === undefined ? {} : { port: redirectPort };
  const configured = await configuredIdentity(context);
  if (configured !== undefined) {
    return { identity: configured, redirect: await user.prepareRedirect(port, signal) };
  }
  const known = await usableRegistrations(context, Date.now());
  const newest = known.at(-1);
  const wish =
    newest === undefined || redirectPort !== undefined ? port : { uri: newest.redirectUri };
  const redirect = await user.prepareRedirect(wish, signal);
  try {
    const registration =
      known.findLast(({ redirectUri }) => redirectUri === redirect.uri) ??
      (await register(context, redirect.uri));
    return { identity: registeredIdentity(registration, context.onSecrets), redirect };
  } catch (error) {
    redirect.dispose();
    throw error;
  }
}

async function run(
  request: SignInRequest,
  identity: ClientIdentity,
  context: IdentityContext,
  redirect: Redirect,
  signal: AbortSignal,
): Promise<Tokens> {
  const { server, scope, resource, reason } = request;
  const { client, authentication } = identity;
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = authorizationUrl(request, {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirect.uri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { issuer, token_endpoint: tokenEndpoint = issuer } = server;
  const about = { issuer, tokenEndpoint, scope, reason };
  const returned = await redirect.follow(url, about, signal);
  const parameters = checked(server, identity, returned, state);
  context.onSecrets?.([...parameters.getAll('code'), verifier]);
  await bindClient(context);
  return tokensFrom(request, identity, undefined, async (options) =>
    oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirect.uri,
        verifier,
        { ...options, additionalParameters: { resource } },
      ),
    ),
  );
}

/**
 * Parameters that say what is asked for. In the address of the page they are left out: the user agrees to what is shown (RFC
 * 9396, RFC 9101, OpenID Connect Core 1.0 section 5.5).
 */
const askedFor = ['scope', 'authorization_details', 'claims', 'request', 'request_uri'] as const;

function authorizationUrl(
  { server, resource, scope }: TokenRequest,
  parameters: Readonly<Record<string, string>>,
): URL {
  const { authorization_endpoint: endpoint, issuer } = server;
  const url = endpoint === undefined ? null : URL.parse(endpoint);
  if (
    url === null ||
    !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)))
  ) {
    throw new McpError('protocol', t('{0} names no https page for signing in', issuer));
  }
  for (const name of askedFor) {
    url.searchParams.delete(name);
  }
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, value);
  }
  url.searchParams.set('resource', resource);
  if (scope !== undefined) {
    url.searchParams.set('scope', scope);
    if (splitScope(scope).includes('offline_access')) {
      url.searchParams.set('prompt', 'consent'); // required by OpenID Connect Core 1.0 section 11
    }
  }
  return url;
}

/**
 * Checks `iss` and `state` first: if they are wrong, the response may come from anyone, and is neither used
 * nor shown.
 */
function checked(
  server: oauth.AuthorizationServer,
  identity: ClientIdentity,
  returned: URLSearchParams,
  state: string,
): URLSearchParams {
  try {
    return oauth.validateAuthResponse(server, identity.client, returned, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      throw new OAuthRefusal({
        issuer: server.issuer,
        wanted: 'signIn',
        error: error.error,
        description: error.error_description,
        client: identity.kind,
      });
    }
    throw new McpError(
      'protocol',
      t(
        'The browser returned an answer that is not the answer of {0} to this sign-in. It was discarded.',
        server.issuer,
      ),
    );
  }
}
