/** Calls the OAuth library: its options, and its errors as messages that name the server and its response. */
import * as oauth from 'oauth4webapi';
import { toError } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { McpError, isMcpError, isTransientStatus } from '../errors.ts';
import type { AuthFetch } from './authFetch.ts';
import { type ClientKind, OAuthRefusal, type Wanted } from './refusals.ts';

/** Our fetch decides for every request which URLs may be contacted. */
export function oauthOptions(fetch: AuthFetch): {
  readonly [oauth.customFetch]: AuthFetch;
  readonly [oauth.allowInsecureRequests]: true;
} {
  return { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: true };
}

/** What is requested, and as which client. */
export interface Call {
  readonly issuer: string;
  readonly wanted: Wanted;
  readonly client?: ClientKind;
}

/**
 * Runs a call of the library.
 * @throws OAuthRefusal when the server refuses; McpError `protocol` for a response that breaks OAuth; any
 *   error of the fetch
 */
export async function readable<T>(call: Call, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (isMcpError(error)) {
      throw error;
    }
    const refusal = await refusalIn(error);
    if (refusal !== undefined) {
      throw new OAuthRefusal({ ...call, ...refusal });
    }
    throw unusable(call.issuer, error);
  }
}

interface ServersWords {
  readonly error: string;
  readonly description: string | undefined;
}

/**
 * Reads the refusals that the library does not: it reads only HTTP 4xx responses without a
 * `WWW-Authenticate`, although RFC 6749 section 5.2 requires that header with `invalid_client`.
 */
async function refusalIn(error: unknown): Promise<ServersWords | undefined> {
  if (error instanceof oauth.ResponseBodyError) {
    return wordsOf(error.cause);
  }
  const response = responseOf(error);
  if (response === undefined || response.status < 400 || response.bodyUsed) {
    return undefined;
  }
  try {
    return wordsOf(await response.json());
  } catch {
    return undefined; // a page for people
  }
}

function wordsOf(body: unknown): ServersWords | undefined {
  if (!isObject(body) || !isString(body['error']) || body['error'] === '') {
    return undefined;
  }
  const { error, error_description: description } = body;
  return { error, description: isString(description) ? description : undefined };
}

function responseOf(error: unknown): Response | undefined {
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    return error.response;
  }
  const { cause } = toError(error);
  return cause instanceof Response ? cause : undefined;
}

/** Without `cause`: the library's errors carry the response, which may hold a token. */
function unusable(issuer: string, error: unknown): McpError {
  const status = responseOf(error)?.status ?? 200;
  if (isTransientStatus(status)) {
    return new McpError(
      'unauthorized',
      `${issuer} does not work at the moment: it answered with HTTP ${status}. Try again later.`,
    );
  }
  const reason = status >= 400 ? `HTTP ${status}` : toError(error).message;
  return new McpError('protocol', `${issuer} answered in a way that cannot be used: ${reason}`);
}

/**
 * An error on the way to a token says nothing about the MCP server, least of all its revision: the caller
 * that opens the conversation must not take it for a response of the server.
 */
export function inPlaceOfRefusal(error: unknown): unknown {
  const isAboutTokens =
    isMcpError(error) && ['protocol', 'unsupported', 'denied', 'http', 'rpc'].includes(error.code);
  return isAboutTokens ? new McpError('unauthorized', error.message, { cause: error }) : error;
}
