/** Errors without secrets, neither in their own texts nor in those of their causes. */
import { toError } from '../../base/async.ts';
import type { Redactor } from '../../base/log.ts';
import {
  HttpError,
  isCancelled,
  isHttpError,
  isMcpError,
  isRpcError,
  McpError,
  RpcError,
} from '../../mcp/errors.ts';

type Redact = Pick<Redactor, 'redact'>;

/** The error itself if it is an McpError without secrets. */
export function redactedError(error: unknown, redactor: Redact): McpError {
  if (!isMcpError(error)) {
    const message = toError(error).message;
    const code = isCancelled(error) ? 'cancelled' : 'unreachable';
    return new McpError(code, redactor.redact(message));
  }
  return textsOf(error).every((text) => redactor.redact(text) === text)
    ? error
    : redactedMcpError(error, redactor);
}

/** Of the same kind and with the same causes: codes and statuses identify the problem. */
function redactedMcpError(error: McpError, redactor: Redact): McpError {
  const text = redactor.redact(error.message);
  if (isHttpError(error)) {
    const { code, status, bodyExcerpt, retryAfterMs } = error;
    return new HttpError(code, status, text, redactor.redact(bodyExcerpt), retryAfterMs);
  }
  if (isRpcError(error)) {
    return new RpcError(error.rpcCode, text, error.data);
  }
  return new McpError(error.code, text, { cause: redactedCause(error.cause, redactor) });
}

function redactedCause(cause: unknown, redactor: Redact): unknown {
  if (isMcpError(cause)) {
    return redactedMcpError(cause, redactor);
  }
  if (!(cause instanceof Error)) {
    return undefined;
  }
  const options = { cause: redactedCause(cause.cause, redactor) };
  const error = new Error(redactor.redact(cause.message), options);
  return 'code' in cause ? Object.assign(error, { code: cause.code }) : error;
}

/** Every text of an error that may be shown. */
function textsOf(error: Error): readonly string[] {
  const body =
    'bodyExcerpt' in error && typeof error.bodyExcerpt === 'string' ? [error.bodyExcerpt] : [];
  const causes = error.cause instanceof Error ? textsOf(error.cause) : [];
  return [error.message, ...body, ...causes];
}
