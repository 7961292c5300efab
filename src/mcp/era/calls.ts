/**
 * What both eras do with a call: whether the server offers its method, its params as the revision has them, a minimal
 * check of its result before it is passed on under its type, whether it may be sent again, and what its errors mean.
 * Does not check single list items: one bad item must not fail the others.
 */
import { t } from '../../base/l10n.ts';
import { toError } from '../../base/async.ts';
import { isObject } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import { isRpcError, McpError, rpcCodes, RpcError } from '../errors.ts';
import { type ExtensionId, type Extensions, extensionOf, skillsExtension } from '../extensions.ts';
import { revisions } from '../revisions.ts';
import type { CallOptions, ServerDescription } from '../session/session.ts';
import type { Params } from '../types/message.ts';
import type { Method, ResultOf } from '../types/methods.ts';
import { missingCapabilities, requiredCapabilities } from './classify.ts';

/** What each method needs (CAP-01, CAP-04), and the member of its result that must be an array. */
const methods: Readonly<
  Record<Method, { readonly capability?: string; readonly member?: string }>
> = {
  ping: {},
  'tools/list': { capability: 'tools', member: 'tools' },
  'tools/call': { capability: 'tools', member: 'content' },
  'prompts/list': { capability: 'prompts', member: 'prompts' },
  'prompts/get': { capability: 'prompts', member: 'messages' },
  'resources/list': { capability: 'resources', member: 'resources' },
  'resources/templates/list': { capability: 'resources', member: 'resourceTemplates' },
  'resources/read': { capability: 'resources', member: 'contents' },
  'skills/list': { capability: 'skills', member: 'skills' },
  'skills/get': { capability: 'skills' },
  'resources/directory/read': { capability: 'skills', member: 'resources' },
  'completion/complete': { capability: 'completions' },
};

/** The error for a method that the server did not declare, or undefined when it may be called. */
export function missingCapability(method: Method, server: ServerDescription): McpError | undefined {
  const needed = methods[method].capability;
  const skills = extensionOf(server.capabilities, skillsExtension);
  const isOffered =
    needed === 'skills'
      ? skills !== undefined &&
        (method !== 'resources/directory/read' || skills['directoryRead'] === true)
      : needed === undefined ||
        server.capabilities[needed] !== undefined ||
        (method === 'resources/read' && skills !== undefined); // their files (SKL-05)
  if (isOffered) {
    return undefined;
  }
  // The oldest revision has no flag for completion: it is tried, and -32601 means no.
  if (needed === 'completions' && !revisions[server.revision].declaresCompletions) {
    return undefined;
  }
  return unsupportedMethod(method, server);
}

function unsupportedMethod(method: Method, server: ServerDescription): McpError {
  return new McpError(
    'unsupported',
    t('The server "{0}" does not offer "{1}"', server.info.name, method),
  );
}

/** @throws McpError `protocol` naming the method and what is wrong with its result. */
export function toResult<M extends Method>(method: M, received: unknown): ResultOf<M> {
  const result = withDefaults(method, received);
  if (!isResult(method, result)) {
    const { member } = methods[method];
    throw new McpError(
      'protocol',
      isObject(result) && member !== undefined
        ? t('The server\'s result for "{0}" has no array "{1}"', method, member)
        : t('The server\'s result for "{0}" is not an object', method),
    );
  }
  return result;
}

function isResult<M extends Method>(method: M, value: unknown): value is ResultOf<M> {
  if (method === 'ping') {
    return true; // Some servers answer with more than an empty object.
  }
  const { member } = methods[method];
  return isObject(value) && (member === undefined || Array.isArray(value[member]));
}

function withDefaults(method: Method, value: unknown): unknown {
  if (method === 'tools/call') {
    // Servers that return only structured content omit `content`, or send null.
    return isObject(value) && (value['content'] ?? undefined) === undefined
      ? { ...value, content: [] }
      : value;
  }
  if (method === 'completion/complete') {
    const completion = isObject(value) ? value['completion'] : undefined;
    const isComplete = isObject(completion) && Array.isArray(completion['values']);
    return isComplete ? value : { completion: { values: [] } }; // COMP-05
  }
  return value;
}

/** The methods in which a server may ask for something: with input requests (MRTR-01), or with error -32042. */
export const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

const tasks: ExtensionId = 'io.modelcontextprotocol/tasks';

/**
 * Checks the result type before anything else in the result (BASE-07). An absent type is `complete`, also
 * in the modern era (BASE-08).
 * @param declared the extensions that the request declared
 * @throws McpError `protocol` for a type that is unknown (BASE-09), or not allowed here
 */
export function checkResultType(method: string, result: unknown, declared: Extensions = {}): void {
  const type = (isObject(result) ? result['resultType'] : undefined) ?? 'complete';
  const isPossible =
    type === 'complete' ||
    (type === 'input_required' && mayAsk.has(method)) ||
    (type === 'task' && method === 'tools/call' && declared[tasks] !== undefined);
  if (isPossible) {
    return;
  }
  throw new McpError(
    'protocol',
    t(
      'The server\'s result for "{0}" has a type that is not allowed: {1}',
      method,
      truncated(JSON.stringify(type), 100),
    ),
  );
}

/** Removes what the agreed revision does not know (COMP-03). */
export function knownParams(method: Method, params: Params, server: ServerDescription): Params {
  const { context: _context, ...rest } = params;
  const isKnown = method !== 'completion/complete' || revisions[server.revision].completionContext;
  return isKnown ? params : rest;
}

/**
 * Whether a request may be sent again after its connection or session was lost: not a call that may have had its
 * effect (HTTP-14), and nothing after the end.
 * @param lifetime the signal of the conversation
 */
export function mayRepeat(
  method: string,
  { isRepeatable }: Pick<CallOptions, 'isRepeatable'>,
  lifetime: AbortSignal,
): boolean {
  return !lifetime.aborted && (method !== 'tools/call' || isRepeatable === true);
}

/** The error of a call, for code that knows no eras. */
export function callError(error: unknown, method: Method, server: ServerDescription): Error {
  if (!isRpcError(error)) {
    return toError(error);
  }
  const required = requiredCapabilities(error);
  if (required !== undefined) {
    return missingCapabilities(required, error);
  }
  if (error.rpcCode === rpcCodes.methodNotFound && method === 'completion/complete') {
    return unsupportedMethod(method, server); // COMP-01: also how a server without a flag for it says so
  }
  const isModern = revisions[server.revision].era === 'modern';
  return isModern && error.rpcCode === rpcCodes.invalidParams && method === 'resources/read'
    ? new RpcError(rpcCodes.resourceNotFound, error.message, error.data) // the code of earlier revisions (RES-04)
    : error;
}
