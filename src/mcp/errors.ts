/**
 * The errors of this code base. Branch on `code`, never on a message text.
 *
 * The extension is built as several bundles, each with its own copy of these classes, so `instanceof` is
 * not reliable across bundles: use {@link isMcpError} and its siblings.
 *
 * Errors are caught in four places: the peer (a remote error becomes an RpcError), a transport (becomes a
 * CloseReason), a connection (becomes a state), and vscode/editor/registerCommands.ts (becomes a
 * message). Any other `catch` adds meaning.
 */

/** What went wrong, as a code. Code branches on it; people read `message`. */
export type ErrorCode =
  | 'cancelled' // the caller cancelled
  | 'timeout' // no answer in time
  | 'closed' // the connection ended before the response came; the outcome is unknown
  | 'sessionExpired' // the server no longer knows the session; the message was not processed
  | 'unreachable' // the process did not start, the host did not answer
  | 'http' // an HTTP error status
  | 'unauthorized' // HTTP 401, or 403 for lack of authorization
  | 'signInNeeded' // the user has to sign in first, and was not asked or dismissed the prompt
  | 'rpc' // the server answered with a JSON-RPC error
  | 'protocol' // the server broke the protocol
  | 'unsupported' // the server lacks the feature, or client and server share no revision
  | 'denied' // the user, or a rule of the user, refused
  | 'forbidden' // a setting of the editor does not allow the server
  | 'invalidConfig' // a setting is wrong
  | 'invalidInput'; // an argument from the user or the model is wrong

export class McpError extends Error {
  override readonly name: string = 'McpError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The server's JSON-RPC error, with its numeric code and data as received. */
export class RpcError extends McpError {
  override readonly name = 'RpcError';
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(rpcCode: number, message: string, data?: unknown, options?: ErrorOptions) {
    super('rpc', message, options);
    this.rpcCode = rpcCode;
    this.data = data;
  }
}

export function invalidParams(what: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, `Invalid params: ${what}`);
}

/** An HTTP error status, with the first bytes of the body. */
export class HttpError extends McpError {
  override readonly name = 'HttpError';
  declare readonly code: 'http' | 'unauthorized' | 'sessionExpired';
  readonly status: number;
  readonly bodyExcerpt: string;
  /** How long the server wants us to wait before a retry, counted from its response (RFC 9110 section 10.2.3). */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: HttpError['code'],
    status: number,
    message: string,
    bodyExcerpt = '',
    retryAfterMs?: number,
  ) {
    super(code, message);
    this.status = status;
    this.bodyExcerpt = bodyExcerpt;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Whether a retry may get another response: the server, or a proxy before it, is overloaded or out of
 * order. 501 is permanent.
 */
export function isTransientStatus(status: number): boolean {
  return status >= 500 ? status !== 501 : [408, 425, 429].includes(status);
}

const names: ReadonlySet<string> = new Set(['McpError', 'RpcError', 'HttpError']);

export function isMcpError(error: unknown): error is McpError {
  return error instanceof Error && names.has(error.name) && 'code' in error;
}

export function isRpcError(error: unknown): error is RpcError {
  return isMcpError(error) && error.name === 'RpcError';
}

export function isHttpError(error: unknown): error is HttpError {
  return isMcpError(error) && error.name === 'HttpError';
}

/** True for the error of any aborted AbortSignal, ours or the platform's. */
export function isCancelled(error: unknown): boolean {
  return isMcpError(error)
    ? error.code === 'cancelled'
    : error instanceof Error && error.name === 'AbortError';
}

/** The error to reject with when `signal` has aborted. Keeps the signal's own McpError, such as an outer `timeout`. */
export function abortedError(signal: AbortSignal, what: string): McpError {
  const reason: unknown = signal.reason;
  return isMcpError(reason)
    ? reason
    : new McpError('cancelled', `${what} was cancelled`, { cause: reason });
}

/** Numeric codes of JSON-RPC 2.0 section 5.1 and of the MCP specification. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  /** Headers and body of the request contradict each other (2026-07-28, Streamable HTTP). */
  headerMismatch: -32020,
  /** `data.requiredCapabilities`: the capabilities that the client would have to declare (2026-07-28). */
  missingClientCapability: -32021,
  /** `data.supported`: the revisions to choose from (2026-07-28). */
  unsupportedProtocolVersion: -32022,
  /** The user has to visit the URLs in `data.elicitations` first (2025-11-25, client/elicitation). */
  urlElicitationRequired: -32042,
} as const;

/** The HTTP answer that caused the error. */
export function httpErrorIn(error: McpError): HttpError | undefined {
  return chainOf(error).find(isHttpError);
}

/** Whether TLS failed, most often because a certificate is not accepted. */
export function isAboutTls(error: McpError): boolean {
  return codesBelow(error).some((code) => /CERT|SIGNATURE|TLS/u.test(code));
}

/** The codes of Node's errors below an error, outermost first. */
export function codesBelow(error: McpError): readonly string[] {
  const [, ...causes] = chainOf(error);
  return causes.flatMap((cause) => ('code' in cause ? [String(cause.code)] : []));
}

/** An error and its causes. */
function chainOf(error: Error): readonly Error[] {
  return error.cause instanceof Error ? [error, ...chainOf(error.cause)] : [error];
}
