/**
 * What every modern request says about the client in `params._meta`, and the specification's names for
 * members of `_meta`.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
import { type JsonObject, isObject } from '../../base/json.ts';
import { appsExtension } from '../extensions.ts';
import type { Era, Revision } from '../revisions.ts';
import type { Params } from '../types/message.ts';
import type { LoggingLevel } from '../types/methods.ts';
import type { ClientFeatures, ClientOptions } from '../session/session.ts';

const prefix = 'io.modelcontextprotocol/';

export const metaKeys = {
  protocolVersion: `${prefix}protocolVersion`,
  clientInfo: `${prefix}clientInfo`,
  clientCapabilities: `${prefix}clientCapabilities`,
  logLevel: `${prefix}logLevel`,
  serverInfo: `${prefix}serverInfo`,
  subscriptionId: `${prefix}subscriptionId`,
} as const;

/** Members that only the conversation may set, not a caller. */
const ownKeys: ReadonlySet<string> = new Set(Object.values(metaKeys));

/** META-01 to META-03. It applies only to the request that carries it, so the server need not remember it. */
export function envelopeFor(
  { client, features }: Pick<ClientOptions, 'client' | 'features'>,
  revision: Revision,
  logLevel?: LoggingLevel,
): JsonObject {
  return {
    [metaKeys.protocolVersion]: revision,
    [metaKeys.clientInfo]: client,
    [metaKeys.clientCapabilities]: declaredCapabilities(features, 'modern'),
    ...(logLevel && { [metaKeys.logLevel]: logLevel }),
  };
}

/**
 * A capability is declared exactly when its function is present (CAP-02). In the legacy era roots have a flag (ROOT-02),
 * requests may run as tasks, and MCP Apps are the only extension (APP-01).
 */
export function declaredCapabilities(
  { listRoots, elicit, sample, extensions = {} }: ClientFeatures,
  era: Era,
): JsonObject {
  const isLegacy = era === 'legacy';
  const apps = extensions[appsExtension];
  const declared = isLegacy ? { ...(apps && { [appsExtension]: apps }) } : extensions;
  const requests = {
    ...(elicit && { elicitation: { create: {} } }),
    ...(sample && { sampling: { createMessage: {} } }),
  };
  return {
    ...(listRoots && { roots: isLegacy ? { listChanged: true } : {} }),
    ...(elicit && { elicitation: { form: {}, url: {} } }),
    // Without `context`: nothing from other servers is ever added to a request (SAMP-08).
    ...(sample && { sampling: { tools: {} } }),
    ...(Object.keys(declared).length > 0 && { extensions: declared }),
    ...(isLegacy && (elicit ?? sample) && { tasks: { list: {}, cancel: {}, requests } }),
  };
}

/** Keeps the caller's members of `_meta` beside the envelope. */
export function withMeta(params: Params, envelope: JsonObject): Params {
  const meta = params['_meta'];
  return { ...params, _meta: isObject(meta) ? { ...withoutOwnKeys(meta), ...envelope } : envelope };
}

function withoutOwnKeys(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !ownKeys.has(key)));
}
