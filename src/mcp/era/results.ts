/**
 * The least that a result must be before it is handed on under its type. Single items of a list are
 * not looked at here: one bad item must not cost the others.
 */
import { isObject } from '../../base/json.ts';
import { McpError } from '../errors.ts';
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
    // Servers that return structured content alone leave `content` out, or write null.
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
