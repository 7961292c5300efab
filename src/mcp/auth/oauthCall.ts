/**
 * Calls the OAuth library: its options, and its errors as messages that name the server, its own text, and what the user
 * can do. The callers decide which refusals they can resolve.
 */
import { t } from '../../base/l10n.ts';
import * as oauth from 'oauth4webapi';
import { toError } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import { McpError, isMcpError, isTransientStatus } from '../errors.ts';
import type { AuthFetch } from './authFetch.ts';

/** Our fetch decides for every request which URLs may be contacted. */
export function oauthOptions(fetch: AuthFetch): {
  readonly [oauth.customFetch]: AuthFetch;
  readonly [oauth.allowInsecureRequests]: true;
} {
  return { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: true };
}

/**
 * Runs a call of the library.
 * @throws OAuthRefusal when the server refuses; McpError `protocol` for a response that breaks OAuth; any
 *   error of the fetch
 */
export async function readable<T>(
  call: Pick<RefusedAnswer, 'issuer' | 'wanted' | 'client'>,
  send: () => Promise<T>,
): Promise<T> {
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

type ServersWords = Pick<RefusedAnswer, 'error' | 'description'>;

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
      t(
        '{0} does not work at the moment: it answered with HTTP {1}. Try again later.',
        issuer,
        status,
      ),
    );
  }
  const reason = status >= 400 ? `HTTP ${status}` : toError(error).message;
  return new McpError(
    'protocol',
    t('{0} answered in a way that cannot be used: {1}', issuer, reason),
  );
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

/** How this client is known to an authorization server. */
export type ClientKind = 'preregistered' | 'metadataDocument' | 'registered';

/** What was requested from the server. */
export type Wanted =
  | 'signIn'
  | 'tokens'
  | 'refresh'
  | 'registration'
  | 'revocation'
  | 'identityExchange';

/** The server's refusal. Its texts are untrusted data of any length. */
export interface RefusedAnswer {
  readonly issuer: string;
  readonly wanted: Wanted;
  /** For instance `invalid_grant`. */
  readonly error: string;
  readonly description?: string | undefined;
  /** The kind of client; undefined if it makes no difference. */
  readonly client?: ClientKind | undefined;
}

/** The authorization server's own refusal (RFC 6749 sections 4.1.2.1 and 5.2, RFC 7591 section 3.2.2). */
export class OAuthRefusal extends McpError {
  /** For instance `invalid_grant`. */
  readonly error: string;

  constructor(answer: RefusedAnswer) {
    super('unauthorized', textOf(answer));
    this.error = answer.error;
  }
}

/** One bundle holds all uses of this class, so `instanceof` is safe here. */
export function isRefusal(error: unknown, ...codes: readonly string[]): error is OAuthRefusal {
  return error instanceof OAuthRefusal && codes.includes(error.error);
}

/** Whether the server has answered, and would answer another attempt in the same way. */
export function isFinal(error: unknown): error is McpError {
  return error instanceof OAuthRefusal
    ? !isTrouble(error.error) && error.error !== 'invalid_dpop_proof'
    : isMcpError(error) && error.code === 'protocol';
}

/** Limits of the server's own text: the advice comes after it, and must be read. */
const maxCode = 60;
const maxDescription = 160;

function refusing(wanted: Wanted): string {
  switch (wanted) {
    case 'signIn':
      return t('did not sign you in');
    case 'tokens':
      return t('refused the token request');
    case 'refresh':
      return t('did not renew the token');
    case 'registration':
      return t('refused the registration of this client');
    case 'revocation':
      return t('refused the revocation');
    case 'identityExchange':
      return t('refused the exchange of the identity');
  }
}

function textOf(answer: RefusedAnswer): string {
  const { issuer, wanted, error, description = '' } = answer;
  const words = description === '' ? '' : `, "${truncated(description, maxDescription)}"`;
  return `${issuer} ${refusing(wanted)}: ${truncated(error, maxCode)}${words}. ${wayOut(answer)}.`;
}

const byHand = (): string =>
  t('Register a client there by hand and set "oauth.clientId" of this server to its id');
const tryLater = (): string =>
  t('Try again later: the authorization server does not work at the moment');
const askAgain = (): string => t('Sign in again');

function wayOut({ error, wanted, client }: RefusedAnswer): string {
  if (wanted === 'refresh' && !isTrouble(error)) {
    return askAgain();
  }
  if (wanted === 'registration' && !isTrouble(error)) {
    return byHand();
  }
  if (wanted === 'identityExchange' && isAboutIdentity(error)) {
    return t(
      'Check whether the identity token of this server has expired: set a new one in "oauth.identityProvider.idToken"',
    );
  }
  if (error === 'invalid_client') {
    return forUnknownClient(client);
  }
  if (error === 'unauthorized_client' && client !== 'preregistered') {
    return byHand();
  }
  return (
    waysOut.get(error)?.() ??
    t('Sign in again; if that does not help, ask whoever runs the authorization server')
  );
}

/** RFC 8693 section 2.2.2 uses `invalid_request` for a token that is no longer valid. */
function isAboutIdentity(error: string): boolean {
  return error === 'invalid_grant' || error === 'invalid_request';
}

function isTrouble(error: string): boolean {
  return waysOut.get(error) === tryLater;
}

const waysOut: ReadonlyMap<string, () => string> = new Map([
  [
    'access_denied',
    () => t('Sign in again and allow it, or ask whoever runs the server for access'),
  ],
  [
    'invalid_scope',
    () =>
      t(
        'Set "oauth.scopes" of this server to permissions that the authorization server knows and your account may have',
      ),
  ],
  [
    'unauthorized_client',
    () =>
      t(
        'The client of "oauth.clientId" may not sign in this way: allow it where the client is registered',
      ),
  ],
  ['invalid_grant', () => t('It no longer accepts what was sent: sign in again')],
  [
    'invalid_target',
    () =>
      t(
        'It issues no tokens for this server: ask whoever runs the server which authorization server does',
      ),
  ],
  [
    'unsupported_grant_type',
    () => t('It does not know this way to sign in: choose another "oauth.grant" for this server'),
  ],
  [
    'unsupported_response_type',
    () =>
      t('It does not sign users in with a browser: choose another "oauth.grant" for this server'),
  ],
  [
    'invalid_dpop_proof',
    () => t('Check whether the clock of this machine is right, or leave out "oauth.dpop"'),
  ],
  ['login_required', askAgain],
  ['consent_required', askAgain],
  ['interaction_required', askAgain],
  ['account_selection_required', askAgain],
  ['server_error', tryLater],
  ['temporarily_unavailable', tryLater],
  ['slow_down', tryLater],
]);

function forUnknownClient(client: RefusedAnswer['client']): string {
  switch (client) {
    case 'preregistered':
      return t(
        'Check whether "oauth.clientId" of this server and its secret or key are those of the registration',
      );
    case 'metadataDocument':
      return t(
        'Check whether it can read the client metadata document at the address in the settings',
      );
    case 'registered':
    case undefined:
      return t('Run "MCP Host: Forget This Client Registration" and sign in again');
  }
}
