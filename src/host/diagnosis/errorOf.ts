/** What a server's start, or its run, ended with, and what that is about. */
import { type HttpError, isHttpError, type McpError } from '../../mcp/errors.ts';
import type { ConnectionState } from '../servers/connectionState.ts';

export function errorOf(state: ConnectionState): McpError | undefined {
  switch (state.kind) {
    case 'failed':
      return state.error;
    case 'waiting':
      return state.cause;
    case 'ready':
    case 'starting':
    case 'stopped':
    case 'stopping':
      return undefined;
  }
}

/** The answer of HTTP that is at the bottom of it. */
export function httpErrorIn(error: McpError): HttpError | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isHttpError(cause)) {
      return cause;
    }
  }
  return undefined;
}

/** Whether TLS was refused, most often since a certificate is not accepted: by the code of Node's error below it. */
export function isAboutTls(error: McpError): boolean {
  return hasCauseOf(error, /CERT|SIGNATURE|TLS/u);
}

/** Whether the proxy that the entry names could not be reached, or did not let us through. */
export function isAboutProxy(error: McpError): boolean {
  return hasCauseOf(error, /^ERR_PROXY_/u);
}

function hasCauseOf(error: McpError, code: RegExp): boolean {
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && code.test(String(cause.code))) {
      return true;
    }
  }
  return false;
}
