/** Reads a server's capabilities leniently, and knows which capability each method needs (CAP-01, CAP-04). */
import { type JsonObject, isObject } from '../../base/json.ts';
import { McpError } from '../errors.ts';
import { revisions } from '../revisions.ts';
import type { Method, ServerCapabilities } from '../types/methods.ts';
import type { ServerDescription } from '../session/session.ts';

const requirements: Readonly<Record<Method, string | undefined>> = {
  ping: undefined,
  'tools/list': 'tools',
  'tools/call': 'tools',
  'prompts/list': 'prompts',
  'prompts/get': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'resources/read': 'resources',
  'completion/complete': 'completions',
};

/** `false` and `null` declare nothing; `true` declares the feature without its flags. */
export function readCapabilities(value: unknown): ServerCapabilities {
  const declared = Object.entries(isObject(value) ? value : {}).filter(
    ([, capability]) => capability !== undefined && capability !== null && capability !== false,
  );
  return Object.fromEntries(
    declared.map(([name, capability]) => [name, isObject(capability) ? readFlags(capability) : {}]),
  );
}

/** Only `true` sets a flag; other members are kept as they are. */
function readFlags(capability: JsonObject): JsonObject {
  const { subscribe, listChanged, ...rest } = capability;
  return {
    ...rest,
    ...(subscribe === true && { subscribe }),
    ...(listChanged === true && { listChanged }),
  };
}

/** The error for a method that the server did not declare, or undefined when it may be called. */
export function missingCapability(method: Method, server: ServerDescription): McpError | undefined {
  const needed = requirements[method];
  if (needed === undefined || server.capabilities[needed] !== undefined) {
    return undefined;
  }
  // The oldest revision has no flag for completion: it is tried, and -32601 means no.
  if (needed === 'completions' && !revisions[server.revision].declaresCompletions) {
    return undefined;
  }
  return unsupportedMethod(method, server);
}

export function unsupportedMethod(method: Method, server: ServerDescription): McpError {
  return new McpError('unsupported', `The server "${server.info.name}" does not offer "${method}"`);
}
