/** Which requests may be sent again, and with which parameters. Sends nothing. */
import type { JsonObject } from '../../base/json.ts';
import type { Method } from '../../mcp/types/methods.ts';
import type { Seen } from './seenMessage.ts';

/** Methods that a session allows. The others open or control a session: a repetition would break it. */
const methods: Readonly<Record<Method, true>> = {
  ping: true,
  'tools/list': true,
  'tools/call': true,
  'prompts/list': true,
  'prompts/get': true,
  'resources/list': true,
  'resources/templates/list': true,
  'resources/read': true,
  'resources/directory/read': true,
  'skills/list': true,
  'skills/get': true,
  'completion/complete': true,
};

/** Members that sessions add to a request: they belong to one session, one round or one task. */
const added: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState', 'task']);

export interface Replayable {
  readonly method: Method;
  readonly params: JsonObject;
}

/** Undefined for an entry that cannot be sent again. */
export function replayable(seen: Seen | undefined): Replayable | undefined {
  return seen?.kind === 'message' &&
    seen.direction === 'sent' &&
    seen.type === 'request' &&
    seen.params !== undefined &&
    isMethod(seen.method)
    ? { method: seen.method, params: ownParams(seen.params) }
    : undefined;
}

/** The parameters of a request without the added members. */
export function ownParams(params: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !added.has(name)));
}

function isMethod(method: string): method is Method {
  return Object.hasOwn(methods, method);
}
