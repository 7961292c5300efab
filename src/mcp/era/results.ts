/**
 * The minimal check of a result before it is passed on under its type. Does not check single list items:
 * one bad item must not fail the others.
 */
import { isObject } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import { McpError } from '../errors.ts';
import type { ExtensionId } from '../extensions.ts';
import type { Method, ResultOf } from '../types/methods.ts';

/** The member of each result that must be an array. */
const arrayMembers: Readonly<Record<Method, string | undefined>> = {
  ping: undefined,
  'tools/list': 'tools',
  'tools/call': 'content',
  'prompts/list': 'prompts',
  'prompts/get': 'messages',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'resources/read': 'contents',
  'completion/complete': undefined,
};

/** @throws McpError `protocol` naming the method and what is wrong with its result. */
export function toResult<M extends Method>(method: M, received: unknown): ResultOf<M> {
  const result = withDefaults(method, received);
  if (!isResult(method, result)) {
    const member = arrayMembers[method];
    throw new McpError(
      'protocol',
      isObject(result) && member !== undefined
        ? `The server's result for "${method}" has no array "${member}"`
        : `The server's result for "${method}" is not an object`,
    );
  }
  return result;
}

function isResult<M extends Method>(method: M, value: unknown): value is ResultOf<M> {
  if (method === 'ping') {
    return true; // Some servers answer with more than an empty object.
  }
  const member = arrayMembers[method];
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

/** The methods that may be answered with input requests (MRTR-01). */
const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** The methods that may be answered with a task handle (ext-tasks, "Supported Methods"). */
const mayBecomeTasks: ReadonlySet<string> = new Set(['tools/call']);
const tasks: ExtensionId = 'io.modelcontextprotocol/tasks';

/**
 * Checks the result type before anything else in the result (BASE-07). An absent type is `complete`, also
 * in the modern era (BASE-08).
 * @param declared the extensions that the request declared
 * @throws McpError `protocol` for a type that is unknown (BASE-09), or not allowed here
 */
export function checkResultType(
  method: string,
  result: unknown,
  declared: readonly ExtensionId[] = [],
): void {
  const type = (isObject(result) ? result['resultType'] : undefined) ?? 'complete';
  const isPossible =
    type === 'complete' ||
    (type === 'input_required' && mayAsk.has(method)) ||
    (type === 'task' && mayBecomeTasks.has(method) && declared.includes(tasks));
  if (isPossible) {
    return;
  }
  throw new McpError(
    'protocol',
    `The server's result for "${method}" has a type that is not allowed: ${truncated(JSON.stringify(type), 100)}`,
  );
}
