/**
 * What every request of the modern era says of its sender in `params._meta`, and the names under which
 * the specification keeps members of `_meta`.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
import { type JsonObject, isObject, isString } from '../../base/json.ts';
import type { Revision } from '../revisions.ts';
import type { Params } from '../rpc/message.ts';
import type { LoggingLevel } from '../types/methods.ts';
import type { ClientFeatures, Hello, TraceContext } from './session.ts';

const prefix = 'io.modelcontextprotocol/';
/** The extension that tasks/extensionTasks.ts speaks. */
const tasksExtension = `${prefix}tasks`;

export const metaKeys = {
  protocolVersion: `${prefix}protocolVersion`,
  clientInfo: `${prefix}clientInfo`,
  clientCapabilities: `${prefix}clientCapabilities`,
  logLevel: `${prefix}logLevel`,
  serverInfo: `${prefix}serverInfo`,
  subscriptionId: `${prefix}subscriptionId`,
} as const;

/** META-01 to META-03. It holds for the very request that carries it, so that nothing need be remembered. */
export function envelopeFor(
  { client, features }: Pick<Hello, 'client' | 'features'>,
  revision: Revision,
  logLevel?: LoggingLevel,
): JsonObject {
  return {
    [metaKeys.protocolVersion]: revision,
    [metaKeys.clientInfo]: client,
    [metaKeys.clientCapabilities]: declaredCapabilities(features),
    ...(logLevel && { [metaKeys.logLevel]: logLevel }),
  };
}

/** A capability is declared exactly when it is served (CAP-02); roots have no flags here (ROOT-02). */
function declaredCapabilities({ listRoots, elicit, sample }: ClientFeatures): JsonObject {
  return {
    ...(listRoots && { roots: {} }),
    ...(elicit && { elicitation: { form: {}, url: {} } }),
    ...(sample && { sampling: { tools: {} } }),
    extensions: { [tasksExtension]: {} },
  };
}

/** The envelope wins over what the params hold under its names. */
export function withMeta(params: Params, envelope: JsonObject, trace?: TraceContext): Params {
  const meta = trace === undefined ? envelope : { ...traceMeta(trace), ...envelope };
  return { ...params, _meta: meta };
}

/** For revisions whose requests carry nothing else of their sender. */
export function withTrace(params: Params, trace: TraceContext | undefined): Params {
  if (trace === undefined) {
    return params;
  }
  const meta = params['_meta'];
  return { ...params, _meta: { ...(isObject(meta) ? meta : undefined), ...traceMeta(trace) } };
}

/**
 * The members of `_meta` for a trace context; none for one that no receiver would take (META-09).
 * https://www.w3.org/TR/trace-context/#traceparent-header
 */
function traceMeta(trace: TraceContext | undefined): JsonObject {
  if (trace === undefined || !/^[\da-f]{2}(?:-[\da-f]+){3}$/u.test(trace.traceparent)) {
    return {};
  }
  const { traceparent, tracestate, baggage } = trace;
  return {
    traceparent,
    ...(isString(tracestate) && { tracestate }),
    ...(isString(baggage) && { baggage }),
  };
}
