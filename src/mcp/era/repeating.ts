/**
 * What becomes of a request of the older era whose session, or whose one connection, was lost: which may be sent
 * again, and what the others are told (HTTP-14, HTTP-22). Sends nothing itself.
 */
import { isMcpError, McpError } from '../errors.ts';
import type { Method } from '../types/methods.ts';
import type { CallOptions } from '../session/session.ts';

/** `again`: sent once more. `reopen`: not sent, but the session is opened anew. `fail`: it is what it is. */
export type AfterLoss = 'again' | 'reopen' | 'fail';

/**
 * A refusal for the session does not prove that nothing was done: what stands between may have sent the
 * request twice.
 * @param lifetime of the conversation: at its end there is nobody to send anything to
 */
export function afterLoss(
  method: Method,
  { isRepeatable, signal }: Pick<CallOptions, 'isRepeatable' | 'signal'>,
  error: unknown,
  lifetime: AbortSignal,
): AfterLoss {
  const mayRepeat = method !== 'tools/call' || isRepeatable === true;
  if (isSessionExpired(error)) {
    return mayRepeat ? 'again' : 'reopen';
  }
  const isOver = lifetime.aborted || signal?.aborted === true;
  const isBroken = isMcpError(error) && error.code === 'closed';
  return isBroken && mayRepeat && !isOver ? 'again' : 'fail';
}

export function isSessionExpired(error: unknown): boolean {
  return isMcpError(error) && error.code === 'sessionExpired';
}

export function notRepeated(method: string): McpError {
  return new McpError(
    'closed',
    `The server had forgotten the session. Another one is open now, but "${method}" may change something and was not sent again; whether the request took effect is unknown`,
  );
}
