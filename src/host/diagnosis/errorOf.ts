/** What a server's start, or its run, ended with. */
import type { McpError } from '../../mcp/errors.ts';
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
