/**
 * The requests to all servers that wait for their replies, for whoever shows them. It keeps nothing and
 * has no timer: it reads what the conversations know, when it is asked.
 */
import type { RunningRequest } from '../../mcp/session/session.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ServerConnection } from '../servers/connection.ts';

export interface ServerRequest {
  readonly server: ServerConfig;
  readonly request: RunningRequest;
}

/** Servers to look at. */
export interface LookedAt {
  readonly servers: ReadonlyMap<string, Pick<ServerConnection, 'config' | 'inFlight'>>;
}

export interface Look {
  /** Those that have been running for the longest, in that order: {@link mostShown} at most. */
  readonly requests: readonly ServerRequest[];
  /** How many more there are. */
  readonly more: number;
  /** Something runs, for however short a time. */
  readonly isAny: boolean;
}

/** Shown at a time; of more, the number is said. */
export const mostShown = 100;

/** What nobody asked for: the conversation itself, and looking whether the server is there. */
const housekeeping: ReadonlySet<string> = new Set([
  'subscriptions/listen',
  'server/discover',
  'ping',
]);

/**
 * @param afterMs only those that have been running for so many milliseconds, so that what is answered at
 *   once is never shown
 */
export function lookAtRequests({ servers }: LookedAt, afterMs: number): Look {
  const latest = performance.now() - afterMs;
  const found: ServerRequest[] = [];
  let isAny = false;
  for (const { config: server, inFlight } of servers.values()) {
    for (const request of inFlight()?.running() ?? []) {
      if (!housekeeping.has(request.method)) {
        isAny = true;
        if (request.startedAt <= latest) {
          found.push({ server, request });
        }
      }
    }
  }
  found.sort((a, b) => a.request.startedAt - b.request.startedAt);
  const requests = found.slice(0, mostShown);
  return { requests, more: found.length - requests.length, isAny };
}
