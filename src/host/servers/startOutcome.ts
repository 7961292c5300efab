/** Waits for the outcome of a running start, restarts included, as long as the caller allows. */
import type { Event } from '../../base/event.ts';
import type { Session } from '../../mcp/session/session.ts';
import type { McpError } from '../../mcp/errors.ts';
import type { ConnectionState } from './connectionState.ts';

/**
 * @param maxDelayMs rejects with the cause of a restart that comes later than that
 * @param session returns that of a ready server
 * @param stopped returns the error for a server that was stopped meanwhile
 * @throws McpError what the start failed with
 */
export function outcomeOfStart(
  connection: {
    readonly state: ConnectionState;
    readonly onDidChangeState: Event<ConnectionState>;
  },
  maxDelayMs: number,
  session: () => Session | undefined,
  stopped: () => McpError,
): Promise<Session> {
  return new Promise((resolve, reject) => {
    const look = (state: ConnectionState): boolean => {
      switch (state.kind) {
        case 'ready': {
          const opened = session();
          if (opened === undefined) {
            return false;
          }
          resolve(opened);
          return true;
        }
        case 'failed':
          reject(state.error);
          return true;
        case 'stopped':
          reject(stopped());
          return true;
        case 'waiting':
          if (state.delayMs > maxDelayMs) {
            reject(state.cause);
            return true;
          }
          return false;
        case 'starting':
        case 'stopping':
          return false;
      }
    };
    if (!look(connection.state)) {
      const subscription = connection.onDidChangeState((state) => {
        if (look(state)) {
          subscription.dispose();
        }
      });
    }
  });
}
