/** The messages of a peer about a connection that ended, requests without a reply, and replies to no request. */
import { t } from '../../base/l10n.ts';
import { McpError } from '../errors.ts';
import type { CloseReason, Diagnostic } from '../transport/transport.ts';
import { type RpcResponse, isFailure } from '../types/message.ts';
import type { PendingRequest } from './pendingRequests.ts';

function describeClose(reason: CloseReason): string {
  switch (reason.kind) {
    case 'requested':
      return t('it was closed');
    case 'ended':
      return reason.detail;
    case 'failed':
      return reason.error.message;
  }
}

export function notConnected(method: string): McpError {
  return new McpError('closed', t('The connection is closed: "{0}" was not sent', method));
}

/** The error for a request whose connection ended before its reply. */
export function endedBefore(
  { method, options }: Pick<PendingRequest, 'method' | 'options'>,
  reason: CloseReason,
): McpError {
  const why = describeClose(reason);
  // A handshake has no effect that outlives the connection.
  const text =
    options.isCancellable === false
      ? t('The server ended while it was starting, before it answered "{0}" ({1})', method, why)
      : t(
          'The connection ended before "{0}" was answered ({1}); whether it took effect is unknown',
          method,
          why,
        );
  return new McpError('closed', text, { cause: reason.kind === 'ended' ? reason.exit : undefined });
}

/** Whether a request of ours had the id. @param nextId the id of the next request */
export function isUsed(id: unknown, nextId: number): boolean {
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id < nextId;
}

/**
 * The message about a reply that matches no pending request.
 * @param nextId the id of the next request
 */
export function strayReply(
  response: RpcResponse,
  nextId: number,
): Pick<Diagnostic, 'level' | 'text'> {
  const { id } = response;
  if (id === undefined || id === null) {
    const why = isFailure(response) ? `: ${response.error.message}` : '';
    return { level: 'warn', text: `The server sent a reply without an id${why}` };
  }
  return isUsed(id, nextId)
    ? { level: 'debug', text: `A late or second reply to request ${id} was discarded` }
    : {
        level: 'warn',
        text: `A reply to ${JSON.stringify(id)}, a request that was never sent, was discarded`,
      };
}

/** The reason that the server is told. It holds nothing but the fact. */
export function reasonOf(error: McpError): string {
  return error.code === 'timeout' ? 'The request timed out' : 'The user or the client gave up';
}
