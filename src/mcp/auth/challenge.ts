/**
 * Reads the challenge of a server that requires authorization (`WWW-Authenticate`, RFC 9110 section 11.6.1,
 * RFC 6750 section 3), and selects the scopes to ask for. The OAuth library parses the header.
 */
import * as oauth from 'oauth4webapi';

/** The relevant parameters, each as the server sent it. */
export interface Challenge {
  readonly error?: string;
  /** Space-separated. */
  readonly scope?: string;
  /** URL of the protected resource metadata (RFC 9728 section 5.1). */
  readonly resource_metadata?: string;
}

/** Schemes that this client can get tokens for, in order of preference. */
const schemes = ['dpop', 'bearer'];

/**
 * Limit of characters in the header; HTTP delivers no more. On malformed input the library's time grows with the
 * square of its length.
 */
const maxChallengeChars = 16_384;

/** A header that is malformed or too long counts as one without parameters: the status alone is enough. */
export async function readChallenge(wwwAuthenticate: string | undefined): Promise<Challenge> {
  const all = await challengesIn(wwwAuthenticate);
  const ours = schemes.flatMap((scheme) => all.filter((challenge) => challenge.scheme === scheme));
  // Servers that offer several schemes name the metadata in only one of them.
  const chosen =
    ours.find(({ parameters }) => parameters.resource_metadata !== undefined) ?? ours[0];
  return chosen?.parameters ?? {};
}

/** The library reads the header of a response to its own request: so it is given a response. */
async function challengesIn(
  header: string | undefined,
): Promise<readonly oauth.WWWAuthenticateChallenge[]> {
  if (header === undefined || header.length > maxChallengeChars) {
    return [];
  }
  try {
    const response = new Response(null, { status: 401, headers: { 'www-authenticate': header } });
    const nowhere = new URL('https://localhost/');
    await oauth.protectedResourceRequest('-', 'GET', nowhere, undefined, undefined, {
      [oauth.customFetch]: () => Promise.resolve(response),
    });
    return [];
  } catch (error) {
    return error instanceof oauth.WWWAuthenticateChallengeError ? error.cause : [];
  }
}

export interface ScopeSources {
  /** From the entry in the settings; takes precedence over what the server names. */
  readonly configured: readonly string[] | undefined;
  /** From the refusal, space-separated. */
  readonly challenged: string | undefined;
  readonly resource: readonly string[] | undefined;
  /** The scopes requested or granted before, if the refusal asks for more. */
  readonly earlier: string | undefined;
  /** From the authorization server's metadata. */
  readonly supported: readonly string[] | undefined;
  readonly wantsRefreshToken: boolean;
}

/**
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#scope-selection-strategy
 * @returns space-separated; undefined to send no `scope` parameter
 */
export function selectScope(sources: ScopeSources): string | undefined {
  const { configured, challenged, resource, earlier, supported, wantsRefreshToken } = sources;
  const basis =
    configured ?? (challenged === undefined ? (resource ?? []) : splitScope(challenged));
  const wider = configured === undefined || earlier === undefined ? [] : splitScope(challenged);
  const all = new Set([...splitScope(earlier), ...basis, ...wider]);
  if (wantsRefreshToken && supported?.includes('offline_access') === true) {
    all.add('offline_access');
  }
  return unionOf(...all);
}

/** All scopes of the lists, once each; undefined if there are none. */
export function unionOf(...lists: readonly (string | undefined)[]): string | undefined {
  const all = new Set(lists.flatMap(splitScope));
  return all.size === 0 ? undefined : [...all].join(' ');
}

/** Whether every scope of `part` is in `whole`. */
export function isWithin(part: string | undefined, whole: string | undefined): boolean {
  const known = new Set(splitScope(whole));
  return splitScope(part).every((scope) => known.has(scope));
}

export function splitScope(scope: string | undefined): readonly string[] {
  return (scope ?? '').split(' ').filter((part) => part !== '');
}
