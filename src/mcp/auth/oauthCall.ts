/** Calls of the OAuth library: its options, and its errors in words that name the server and its answer. */
import * as oauth from 'oauth4webapi';
import { toError } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { McpError, isMcpError, isTransientStatus } from '../errors.ts';
import type { AuthFetch } from './authFetch.ts';
import { type ClientKind, OAuthRefusal, type Wanted } from './refusals.ts';

/** Which URLs may be asked is decided by our fetch, for every request alike. */
export function oauthOptions(fetch: AuthFetch): {
  readonly [oauth.customFetch]: AuthFetch;
  readonly [oauth.allowInsecureRequests]: true;
} {
  return { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: true };
}

/** What is asked for, and as whom. */
export interface Call {
  readonly issuer: string;
  readonly wanted: Wanted;
  readonly client?: ClientKind;
}

/**
 * Runs a call of the library.
 * @throws OAuthRefusal when the server refuses; McpError `protocol` for an answer that breaks OAuth; what
 *   the fetch throws
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
  readonly description?: string;
}

/**
 * The library reads a refusal from answers of HTTP 4xx alone, and not beside a `WWW-Authenticate`, which
 * RFC 6749 section 5.2 asks for with `invalid_client`.
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
  return isString(description) ? { error, description } : { error };
}

function responseOf(error: unknown): Response | undefined {
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    return error.response;
  }
  const { cause } = toError(error);
  return cause instanceof Response ? cause : undefined;
}

/** Without the cause: the library's errors carry the answer, and that may hold a token. */
function unusable(issuer: string, error: unknown): McpError {
  const status = responseOf(error)?.status ?? 200;
  if (isTransientStatus(status)) {
    return new McpError(
      'unauthorized',
      `${issuer} is in trouble: it answered with HTTP ${status}. Try again in a while.`,
    );
  }
  const reason = status >= 400 ? `HTTP ${status}` : toError(error).message;
  return new McpError('protocol', `${issuer} answered in a way that cannot be used: ${reason}`);
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
