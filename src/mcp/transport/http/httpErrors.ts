/**
 * Turns HTTP failures into errors: network failures, and responses with an error status. Loaded at the first failure.
 */
import { t } from '../../../base/l10n.ts';
import type { IncomingMessage } from 'node:http';
import { toError } from '../../../base/async.ts';
import { parsedJson } from '../../../base/json.ts';
import { looksSecret } from '../../../base/secretNames.ts';
import { truncated } from '../../../base/text.ts';
import { HttpError, McpError, RpcError, isMcpError, rpcCodes } from '../../errors.ts';
import { codeOf, isAboutOurCertificate, networkReason } from '../../network/networkReasons.ts';
import { envelopeProblem, type RpcFailure } from '../../types/message.ts';
import { mediaTypeOf, unknownOutcome } from './httpBody.ts';
import { readRetryAfter } from './httpRetryAfter.ts';

/** Characters of a body that an error quotes. */
const excerptChars = 2_000;

/** How errors name a server. Only its origin: path and query of a URL may hold a secret. */
export interface Place {
  /** Scheme, host and port; or the path of a socket; or the name of a pipe. */
  readonly origin: string;
}

/**
 * @returns an error of a proxy as it is; McpError `invalidConfig` for a header that cannot be sent;
 * `closed` when the connection was open and the message may have arrived; otherwise `unreachable`.
 */
export function networkError({ origin }: Place, error: unknown, isSecuring: boolean): McpError {
  if (isMcpError(error)) {
    return error; // a proxy's error, which says what is wrong
  }
  const cause = toError(error);
  const code = codeOf(cause);
  if (isCut(code) && !isSecuring) {
    const text = t(
      'The connection to {0} was cut before the answer; {1}',
      origin,
      unknownOutcome(),
    );
    return new McpError('closed', text, { cause });
  }
  if (code === 'ERR_INVALID_CHAR') {
    return new McpError('invalidConfig', unsendable(cause, origin), { cause });
  }
  const isMixedUp =
    (isSecuring && isCut(code)) ||
    code === 'EPROTO' ||
    (code.startsWith('ERR_SSL_') && !isAboutOurCertificate(code));
  const reason = isMixedUp ? noTls(origin) : networkReason(code, cause);
  return new McpError('unreachable', t('{0} cannot be reached: {1}', origin, reason), { cause });
}

/** Node's message names the header; the error does not quote its value. */
function unsendable({ message }: Error, origin: string): string {
  const [, name] = /\["([^"]*)"\]$/u.exec(message) ?? [];
  const which = name === undefined ? t('a header') : t('the header "{0}"', name);
  return t(
    'Nothing was sent to {0}: the value of {1} holds a line break, or another character that no header can carry. Correct it where it comes from: an input, or the token of a sign-in',
    origin,
    which,
  );
}

function isCut(code: string): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function noTls(origin: string): string {
  const schemes = origin.startsWith('ws') ? ['ws', 'wss'] : ['http', 'https'];
  return t('it does not speak TLS as expected: are {0} and {1} mixed up?', ...schemes);
}

const maxRedirects = 3;

/** Where a redirect leads that is followed: only within the origin, so that no header reaches another one. @throws McpError `http` */
export function redirectTarget(
  { origin }: Place,
  location: string | undefined,
  from: URL,
  redirects: number,
): URL {
  const target = location === undefined ? null : URL.parse(location, from.href);
  if (target === null) {
    throw new McpError('http', t('{0} redirects without a valid "Location"', origin));
  }
  if (target.origin !== from.origin) {
    const to = target.origin === 'null' ? target.protocol : target.origin;
    throw new McpError(
      'http',
      t(
        "{0} redirects to another origin, {1}, which is not followed: if that is right, set the server's URL to it",
        origin,
        to,
      ),
    );
  }
  if (redirects === maxRedirects) {
    throw new McpError('http', t('{0} redirects more than {1} times', origin, maxRedirects));
  }
  return target;
}

/** A response with an error status. */
export interface Refusal {
  readonly status: number;
  /** The server's reason phrase; may be empty. */
  readonly name: string;
  readonly body: string;
  /** A JSON-RPC error in the body. It belongs to the exchange that carried it, whatever its id (BASE-07). */
  readonly failure?: RpcFailure;
  readonly retryAfterMs?: number | undefined;
}

export function toRefusal(response: IncomingMessage, body: string): Refusal {
  const { statusCode: status = 0, statusMessage: name = '', headers } = response;
  const retryAfterMs = readRetryAfter(headers['retry-after']);
  return { status, name, body, failure: rpcFailureOf(body), retryAfterMs };
}

function rpcFailureOf(body: string): RpcFailure | undefined {
  const value = parsedJson(body); // usually a page in HTML
  return isRpcFailure(value) ? value : undefined;
}

function isRpcFailure(value: unknown): value is RpcFailure {
  return envelopeProblem(value) === undefined && 'error' in Object(value);
}

const ofVersion = /protocol.?version/iu;

/**
 * Whether the response to a request with a session id means that the session is lost. 404 means so
 * (HTTP-22), unless it says that the method or the resource is unknown. Servers built after the official
 * examples send 400 with an error of the transport: -32000 and no request id, since they have not read the
 * message; others send 400 or 401 with a text about the session. They refuse an `MCP-Protocol-Version` in
 * the same way but in other words, and then a new session would not help (HTTP-26).
 */
export function isSessionLoss({ status, failure, body }: Refusal): boolean {
  const { id = null, error } = failure ?? {};
  if (status === 404) {
    const isOfRequest = error?.code === rpcCodes.resourceNotFound && id !== null;
    return error?.code !== rpcCodes.methodNotFound && !isOfRequest;
  }
  if (error === undefined) {
    return (status === 400 || status === 401) && /session/iu.test(body) && !ofVersion.test(body);
  }
  return status === 400 && id === null && error.code === -32_000 && !ofVersion.test(error.message);
}

/**
 * The error for a refusal that is not a session loss.
 * @param settings the headers of the server's entry
 */
export function refusalError(
  { origin }: Place,
  refusal: Refusal,
  settings: Readonly<Record<string, string>>,
): McpError {
  const { status, name, failure } = refusal;
  const excerpt = truncated(refusal.body, excerptChars);
  const text =
    t('{0} answered with HTTP {1}', origin, `${status} ${name}`.trim()) + wayOut(refusal);
  const error = new HttpError('http', status, text, excerpt, refusal.retryAfterMs);
  if (status === 401) {
    const words = Object.keys(settings).some(looksSecret)
      ? t('{0} does not accept the credentials in "headers" of the entry (HTTP 401)', origin)
      : t('{0} asks for authorization (HTTP 401)', origin);
    return new HttpError('unauthorized', status, words, excerpt);
  }
  if (failure === undefined) {
    return error;
  }
  const { code, message, data } = failure.error;
  return new RpcError(code, message, data, { cause: error });
}

function wayOut({ status, retryAfterMs }: Refusal): string {
  if (retryAfterMs !== undefined) {
    return t(': it asks to be tried again in {0} s', Math.ceil(retryAfterMs / 1_000));
  }
  if (status >= 300 && status <= 399) {
    return t(
      ": this redirect would lose the message, so it is not followed. Set the server's URL to its target",
    );
  }
  // A proxy in between may accept less than the server does (HTTP-17).
  if (status === 413) {
    return t(': the message is too large for the server, send less at a time');
  }
  return status === 431 ? t(': the headers are too large for the server') : '';
}

export function sessionLossError({ status, failure, body }: Refusal): HttpError {
  const words = failure === undefined ? '' : `: ${failure.error.message}`;
  const text = t('The server no longer knows the session (HTTP {0})', status) + words;
  return new HttpError('sessionExpired', status, text, truncated(body, excerptChars));
}

/** Characters searched for what must not be quoted. */
const redactedChars = 4_000;

/**
 * The error for a successful response without the reply to its request.
 * @param redact removes from the beginning of the body what must not be quoted
 */
export function noReplyError(
  response: IncomingMessage,
  method: string,
  body: string,
  origin: string,
  redact: (start: string) => string,
): McpError {
  const type = mediaTypeOf(response);
  const what = body === '' ? t('nothing') : type === '' ? t('something else') : type;
  const { statusCode: status = 0 } = response;
  const start = truncated(redact(truncated(body, redactedChars)), excerptChars);
  return new McpError(
    'protocol',
    t(
      'The server answered "{0}" with {1} (HTTP {2}) that contains no reply: is there an MCP server at {3}?',
      method,
      what,
      status,
      origin,
    ),
    { cause: new HttpError('http', status, `HTTP ${status}`, start) },
  );
}
