/** What a peer says of a connection that ended and of a request that was given up, in words. */
import { McpError } from '../errors.ts';
import type { CloseReason } from '../transport/transport.ts';

export function describeClose(reason: CloseReason): string {
  switch (reason.kind) {
    case 'requested':
      return 'it was closed';
    case 'ended':
      return reason.detail;
    case 'failed':
      return reason.error.message;
  }
}

export function notConnected(method: string): McpError {
  return new McpError('closed', `The connection is closed: "${method}" was not sent`);
}

/** What the server is told: nothing that could hold more than the fact. */
export function reasonOf(error: McpError): string {
  return error.code === 'timeout' ? 'The request timed out' : 'The user or the client gave up';
}
