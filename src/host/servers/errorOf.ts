/** Finds the cause below the error of a server's start or run. */
import { type HttpError, isHttpError, type McpError } from '../../mcp/errors.ts';
import type { ConnectionState } from './connectionState.ts';

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
