/**
 * Discovers from a server's refusal who can authorize: protected resource metadata (RFC 9728), then
 * authorization server metadata (RFC 8414 or OpenID Connect Discovery), each checked against what was
 * requested.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
 */
import { t } from '../../base/l10n.ts';
import * as oauth from 'oauth4webapi';
import { toError } from '../../base/async.ts';
import { isStringArray } from '../../base/json.ts';
import { McpError } from '../errors.ts';
import { revisionsNewestFirst } from '../revisions.ts';
import type { AuthFetch } from './authFetch.ts';
import type { Challenge } from './challenge.ts';

/** The server as a protected resource. */
export interface ProtectedResource {
  /** Sent as `resource` (RFC 8707). */
  readonly resource: string;
  /** Whether there is metadata. */
  readonly isDescribed: boolean;
  /** Empty if the server names none. */
  readonly issuers: readonly string[];
  readonly scopesSupported: readonly string[] | undefined;
}

export interface DiscoveryContext {
  readonly serverUrl: URL;
  readonly fetch: AuthFetch;
}

/**
 * Reads the server's metadata: at the URL in the challenge, otherwise at the well-known URLs.
 * @returns a resource without issuers if there is no metadata
 * @throws McpError `protocol` for metadata that is malformed or not about this server
 */
export async function discoverResource(
  challenge: Challenge,
  context: DiscoveryContext,
): Promise<ProtectedResource> {
  const { serverUrl } = context;
  const named = challenge.resource_metadata;
  const urls = named === undefined ? resourceMetadataUrls(serverUrl) : [namedUrl(named, serverUrl)];
  for (const url of urls) {
    const response = await get(url, context);
    if (response.status === 200 && (named !== undefined || (await isJson(response)))) {
      return readResource(response, url, serverUrl);
    }
    if (named !== undefined || response.status >= 500) {
      throw new McpError('protocol', t('{0} answered with HTTP {1}', url, response.status));
    }
  }
  const resource = canonicalResource(serverUrl);
  return { resource, isDescribed: false, issuers: [], scopesSupported: undefined };
}

/** The URL named in a challenge, which may be written by anyone: it must at least be a URL. */
function namedUrl(named: string, serverUrl: URL): string {
  const url = URL.parse(named, serverUrl.href);
  if (url === null) {
    throw new McpError(
      'protocol',
      t('{0} names "{1}" as its metadata, which is not a URL', serverUrl.origin, named),
    );
  }
  return url.href;
}

async function readResource(
  response: Response,
  url: string,
  serverUrl: URL,
): Promise<ProtectedResource> {
  const claimed = await claimedBy(response, 'resource', url);
  if (!covers(claimed, serverUrl)) {
    throw new McpError(
      'protocol',
      t(
        '{0} is about "{1}", not about {2}: no token is requested',
        url,
        claimed,
        serverUrl.origin + serverUrl.pathname,
      ),
    );
  }
  const metadata = await validated(
    url,
    oauth.processResourceDiscoveryResponse(new URL(claimed), response),
  );
  const { authorization_servers: issuers, scopes_supported: scopes } = metadata;
  return {
    resource: claimed,
    isDescribed: true,
    issuers: isStringArray(issuers) ? issuers : [],
    scopesSupported: isStringArray(scopes) ? scopes : undefined,
  };
}

export interface ChosenIssuer {
  readonly issuer: string;
  /** True if the server's own origin is assumed, because there is no metadata (2025-03-26). */
  readonly isAssumed: boolean;
}

/**
 * Chooses the authorization server after a refusal. Sends nothing to it yet.
 * @param choice.configured from the settings, for a server that names it with others, or none
 * @param choice.before issuer of the last sign-in; kept if the server still names it
 * @param choice.allowsOriginFallback whether a server without metadata may be one of 2025-03-26, whose origin is the
 *   authorization server
 * @throws McpError `unauthorized` when there is none; the error of `ask`
 */
export async function chooseIssuer(
  { issuers, isDescribed }: ProtectedResource,
  { origin }: URL,
  choice: {
    readonly configured: string | undefined;
    readonly before: string | undefined;
    readonly allowsOriginFallback: boolean;
    readonly ask: (issuers: readonly string[]) => Promise<string>;
  },
): Promise<ChosenIssuer> {
  const { configured, before, allowsOriginFallback, ask } = choice;
  const known = (one: string | undefined): string | undefined =>
    issuers.find((issuer) => isSameIssuer(issuer, one));
  const chosen =
    known(configured) ?? known(before) ?? (issuers.length > 1 ? await ask(issuers) : issuers[0]);
  const issuer = chosen ?? configured;
  if (issuer !== undefined) {
    return { issuer, isAssumed: false };
  }
  // 2025-03-26 has no such metadata: a server that has it is of a later revision.
  if (isDescribed || !allowsOriginFallback) {
    throw new McpError(
      'unauthorized',
      t(
        '{0} requires authorization but names no authorization server: set "oauth.issuer" of this server, or a header with a token',
        origin,
      ),
    );
  }
  return { issuer: origin, isAssumed: true };
}

/**
 * Reads the metadata of an authorization server.
 * @throws McpError `protocol` when there is none, or when it is of another issuer
 */
export async function discoverServer(
  issuer: string,
  context: DiscoveryContext,
): Promise<oauth.AuthorizationServer> {
  const server = await findServer(issuer, context);
  if (server === undefined) {
    throw new McpError(
      'protocol',
      t('{0} publishes no authorization server metadata, so nobody can sign in there', issuer),
    );
  }
  return server;
}

/**
 * The authorization server for a 2025-03-26 server that requires authorization without metadata: its
 * origin, with default endpoints unless the origin says otherwise.
 */
export async function discoverAtOrigin(
  context: DiscoveryContext,
): Promise<oauth.AuthorizationServer> {
  const { origin } = context.serverUrl;
  return (
    (await findServer(origin, context)) ?? {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      code_challenge_methods_supported: ['S256'], // that revision requires PKCE
    }
  );
}

async function findServer(
  issuer: string,
  context: DiscoveryContext,
): Promise<oauth.AuthorizationServer | undefined> {
  const base = URL.parse(issuer);
  if (base === null || base.search !== '' || base.hash !== '') {
    throw new McpError(
      'protocol',
      t('"{0}" cannot be the issuer of tokens: it is not a plain URL', issuer),
    );
  }
  for (const url of serverMetadataUrls(base)) {
    const response = await get(url, context);
    if (response.status === 200 && (await isJson(response))) {
      return readServer(response, url, issuer);
    }
    if (response.status >= 500) {
      throw new McpError('protocol', t('{0} answered with HTTP {1}', url, response.status));
    }
  }
  return undefined;
}

async function readServer(
  response: Response,
  url: string,
  issuer: string,
): Promise<oauth.AuthorizationServer> {
  const claimed = await claimedBy(response, 'issuer', url);
  if (!isSameIssuer(claimed, issuer)) {
    throw new McpError(
      'protocol',
      t('{0} is about the issuer "{1}", not about "{2}": it is not used', url, claimed, issuer),
    );
  }
  return validated(url, oauth.processDiscoveryResponse(new URL(claimed), response));
}

/** Hosts of single-page apps answer every path with their page: at a well-known URL that is as good as 404. */
function isJson(response: Response): Promise<boolean> {
  return response
    .clone()
    .json()
    .then(
      () => true,
      () => false,
    );
}

/** The member that says what a document is about. Read before the library checks it, for an error that names both. */
async function claimedBy(response: Response, member: string, url: string): Promise<string> {
  let body: unknown;
  try {
    body = await response.clone().json();
  } catch (error) {
    throw new McpError('protocol', t('{0} is not JSON', url), { cause: error });
  }
  const claimed: unknown = Object(body)[member];
  if (typeof claimed !== 'string' || !URL.canParse(claimed)) {
    throw new McpError('protocol', t('{0} has a "{1}" that is not a URL', url, member));
  }
  return claimed;
}

async function validated<T>(url: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const text = t('{0} is not usable: {1}', url, toError(error).message);
    throw new McpError('protocol', text, { cause: error });
  }
}

/** Servers of 2025-03-26 may ask for the header (AUTH-12). */
const headers = {
  accept: 'application/json',
  'mcp-protocol-version': revisionsNewestFirst[0] ?? '',
};

function get(url: string, { fetch }: DiscoveryContext): Promise<Response> {
  return fetch(url, { headers });
}

/**
 * Absolute, in the most specific form, without a slash for an empty path. Without the query, as RFC 8707
 * requires: it may hold private data.
 */
export function canonicalResource(serverUrl: URL): string {
  const url = new URL(serverUrl);
  url.hash = '';
  url.search = '';
  url.username = '';
  url.password = '';
  return url.pathname === '/' ? url.origin : url.href;
}

/** Whether metadata for `resource` covers the server: same origin, and the same path or one above it. */
export function covers(resource: string, serverUrl: URL): boolean {
  const url = URL.parse(resource);
  if (url === null || url.origin !== serverUrl.origin || url.hash !== '') {
    return false;
  }
  const above = withSlash(url.pathname);
  return withSlash(serverUrl.pathname).startsWith(above);
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** Whether two texts name the same issuer: equal, except for a slash after a bare origin. */
export function isSameIssuer(one: string, other: string | undefined): boolean {
  return one === other || (other !== undefined && trimmed(one) === trimmed(other));
}

function trimmed(issuer: string): string {
  return URL.parse(issuer)?.href === `${URL.parse(issuer)?.origin}/`
    ? issuer.replace(/\/$/u, '')
    : issuer;
}

/** The default URLs of a server's metadata: for its path first, then for its origin. */
function resourceMetadataUrls(serverUrl: URL): readonly string[] {
  const root = `${serverUrl.origin}/.well-known/oauth-protected-resource`;
  const path = serverUrl.pathname.replace(/\/$/u, '');
  return path === '' ? [root] : [`${root}${path}${serverUrl.search}`, root];
}

/**
 * The metadata URLs of an authorization server, in the order to try (RFC 8414 section 3, OpenID Connect
 * Discovery 1.0 section 4).
 */
function serverMetadataUrls(issuer: URL): readonly string[] {
  const { origin } = issuer;
  const path = issuer.pathname.replace(/\/$/u, '');
  const metadata = `${origin}/.well-known/oauth-authorization-server${path}`;
  const openId = `${origin}/.well-known/openid-configuration${path}`;
  return path === ''
    ? [metadata, openId]
    : [metadata, openId, `${origin}${path}/.well-known/openid-configuration`];
}
