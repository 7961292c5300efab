/** The identifier of an MCP server as a protected resource (RFC 8707 section 2; RFC 9728 section 3). Pure. */

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
export function resourceMetadataUrls(serverUrl: URL): readonly string[] {
  const root = `${serverUrl.origin}/.well-known/oauth-protected-resource`;
  const path = serverUrl.pathname.replace(/\/$/u, '');
  return path === '' ? [root] : [`${root}${path}${serverUrl.search}`, root];
}

/**
 * The metadata URLs of an authorization server, in the order to try (RFC 8414 section 3, OpenID Connect
 * Discovery 1.0 section 4).
 */
export function serverMetadataUrls(issuer: URL): readonly string[] {
  const { origin } = issuer;
  const path = issuer.pathname.replace(/\/$/u, '');
  const oauth = `${origin}/.well-known/oauth-authorization-server${path}`;
  const openId = `${origin}/.well-known/openid-configuration${path}`;
  return path === ''
    ? [oauth, openId]
    : [oauth, openId, `${origin}${path}/.well-known/openid-configuration`];
}
