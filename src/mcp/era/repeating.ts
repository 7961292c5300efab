/**
 * Decides what happens to a legacy request whose session, or whose own connection, was lost: which requests
 * may be sent again, and which error the others get (HTTP-14, HTTP-22). Sends nothing itself.
 */
import { isMcpError, McpError } from '../errors.ts';
import type { Method } from '../types/methods.ts';
import type { CallOptions } from '../session/session.ts';

/** `again`: send once more. `reopen`: do not send, but open a new session. `fail`: the error stands. */
export type AfterLoss = 'again' | 'reopen' | 'fail';

/**
 * A refusal because of the session does not prove that nothing was done: a proxy may have sent the request twice.
 * @param lifetime the signal of the conversation: after its end nothing can be sent
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
