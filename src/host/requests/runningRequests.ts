/**
 * The requests to all servers that wait for a response, for display. Stores nothing and has no timer: each call reads
 * the current state of the sessions.
 */
import type { RunningRequest } from '../../mcp/session/session.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ServerConnection } from '../servers/connection.ts';
import { isObject, isString } from '../../base/json.ts';
import type { ListName } from '../../mcp/listItems.ts';

export interface ServerRequest {
  readonly server: ServerConfig;
  readonly request: RunningRequest;
}

/** The servers to read. */
export interface LookedAt {
  readonly servers: ReadonlyMap<string, Pick<ServerConnection, 'config' | 'inFlight'>>;
}

export interface Look {
  /** The longest running ones, in that order: {@link mostShown} at most. */
  readonly requests: readonly ServerRequest[];
  /** The number of further requests. */
  readonly more: number;
  /** Whether any request runs, however briefly. */
  readonly isAny: boolean;
}

/** The most that are shown; further ones are counted. */
export const mostShown = 100;

/** Requests that nobody made: those of the session itself, and pings. */
const housekeeping: ReadonlySet<string> = new Set([
  'subscriptions/listen',
  'server/discover',
  'ping',
]);

/**
 * @param afterMs only requests that have run for so many milliseconds, so that quickly answered ones are never shown
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

/** The subject of a request: people know tools rather than methods. */
export interface RequestSubject {
  readonly kind:
    | 'tool'
    | 'task'
    | 'prompt'
    | 'resource'
    | 'completion'
    | 'list'
    | 'subscription'
    | 'unsubscription'
    | 'other';
  /** A name or a URI; of a completion, the argument; the method where nothing says more. */
  readonly name: string;
  /** Of a completion: the name of a prompt, or a URI template. */
  readonly of?: string;
  readonly list?: ListName;
}

const lists: ReadonlyMap<string, ListName> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]);

const kinds: ReadonlyMap<string, RequestSubject['kind']> = new Map([
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
  ['resources/read', 'resource'],
  ['resources/subscribe', 'subscription'],
  ['resources/unsubscribe', 'unsubscription'],
]);

export function subjectOf({
  method,
  params = {},
  isTask,
}: Pick<RunningRequest, 'method' | 'params' | 'isTask'>): RequestSubject {
  const list = lists.get(method);
  if (list !== undefined) {
    return { kind: 'list', name: method, list };
  }
  if (method === 'completion/complete') {
    const { argument, ref } = params;
    const { name: prompt, uri } = isObject(ref) ? ref : {};
    const name = textIn(isObject(argument) ? argument['name'] : undefined, method);
    return { kind: 'completion', name, of: textIn(prompt ?? uri, '') };
  }
  const kind = kinds.get(method);
  return kind === undefined
    ? { kind: 'other', name: method }
    : { kind: isTask ? 'task' : kind, name: textIn(params['name'] ?? params['uri'], method) };
}

function textIn(value: unknown, otherwise: string): string {
  return isString(value) && value !== '' ? value : otherwise;
}
