/** Calls of the OAuth library: its options, and its errors in words that name the server and its answer. */
import * as oauth from 'oauth4webapi';
import { toError } from '../../base/async.ts';
import { McpError, isMcpError } from '../errors.ts';
import type { AuthFetch } from './authFetch.ts';

/** Characters of a server's own words that an error quotes. */
const maxQuoted = 300;

/** Which URLs may be asked is decided by our fetch, for every request alike. */
export function oauthOptions(fetch: AuthFetch): {
  readonly [oauth.customFetch]: AuthFetch;
  readonly [oauth.allowInsecureRequests]: true;
} {
  return { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: true };
}

/** The authorization server's own refusal (RFC 6749 section 5.2, RFC 7591 section 3.2.2). */
export class OAuthRefusal extends McpError {
  /** For instance `invalid_grant`. */
  readonly error: string;

  constructor(error: string, message: string, options?: ErrorOptions) {
    super('unauthorized', message, options);
    this.error = error;
  }
}

/**
 * Runs a call of the library.
 * @param what is done, for the error: "the token request"
 * @throws OAuthRefusal when the server refuses; McpError `protocol` for an answer that breaks OAuth; what
 *   the fetch throws
 */
export async function readable<T>(
  issuer: string,
  what: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isMcpError(error)) {
      throw error;
    }
    if (error instanceof oauth.ResponseBodyError) {
      const { error_description: description = '' } = error;
      const words = description === '' ? '' : `, "${quoted(description)}"`;
      const message = `${issuer} refused ${what}: ${quoted(error.error)}${words}`;
      throw new OAuthRefusal(error.error, message);
    }
    const reason = toError(error).message;
    // Without the cause: the library's errors carry the answer, and that may hold a token.
    throw new McpError(
      'protocol',
      `${issuer} answered ${what} in a way that cannot be used: ${reason}`,
    );
  }
}

/** The bundle that this is part of holds every class of these errors, so that `instanceof` is safe here. */
export function isRefusal(error: unknown, ...codes: readonly string[]): error is OAuthRefusal {
  return error instanceof OAuthRefusal && codes.includes(error.error);
}

function quoted(text: string): string {
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text;
}

/**
 * What goes wrong on the way to a token says nothing of the MCP server, least of all which revision it
 * speaks: whoever opened the conversation must not take it for an answer of the server.
 */
export function inPlaceOfRefusal(error: unknown): unknown {
  const isAboutTokens =
    isMcpError(error) && ['protocol', 'unsupported', 'denied', 'http', 'rpc'].includes(error.code);
  return isAboutTokens ? new McpError('unauthorized', error.message, { cause: error }) : error;
}
