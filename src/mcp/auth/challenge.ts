/**
 * What a server says when it refuses for want of authorization (`WWW-Authenticate`, RFC 9110 section
 * 11.6.1, RFC 6750 section 3). The header is read by the OAuth library.
 */
import * as oauth from 'oauth4webapi';

/** The parameters that matter here, each as the server sent it. */
export interface Challenge {
  readonly status: number;
  readonly scheme?: string;
  readonly error?: string;
  readonly errorDescription?: string;
  /** Space-separated. */
  readonly scope?: string;
  /** Where the protected resource metadata is (RFC 9728 section 5.1). */
  readonly resourceMetadata?: string;
}

/** Schemes whose tokens this client can get, in order of preference. */
const schemes = ['dpop', 'bearer'];

/** Characters of the header; over HTTP no more come. The library takes the square of its length where it makes no sense. */
const maxChallengeChars = 16_384;

/** A header that cannot be read, or is longer, counts as one without parameters: the status alone says enough. */
export async function readChallenge(
  status: number,
  wwwAuthenticate: string | undefined,
): Promise<Challenge> {
  const all = await challengesIn(wwwAuthenticate);
  const ours = schemes.flatMap((scheme) => all.filter((challenge) => challenge.scheme === scheme));
  // Servers that offer several schemes name the metadata in one of them only.
  const chosen =
    ours.find(({ parameters }) => parameters.resource_metadata !== undefined) ?? ours[0];
  if (chosen === undefined) {
    return { status };
  }
  const { error, error_description, scope, resource_metadata } = chosen.parameters;
  return {
    status,
    scheme: chosen.scheme,
    ...(error === undefined ? {} : { error }),
    ...(error_description === undefined ? {} : { errorDescription: error_description }),
    ...(scope === undefined ? {} : { scope }),
    ...(resource_metadata === undefined ? {} : { resourceMetadata: resource_metadata }),
  };
}

/** The library reads the header of an answer to a request of its own: it is handed one. */
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
