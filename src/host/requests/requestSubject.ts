/** The subject of a request, from its method and parameters: people know tools rather than methods. */
import { isObject, isString } from '../../base/json.ts';
import type { ListName } from '../../mcp/listItems.ts';
import type { RunningRequest } from '../../mcp/session/session.ts';

export type RequestSubject =
  | { readonly kind: 'tool' | 'task' | 'prompt'; readonly name: string }
  | { readonly kind: 'resource'; readonly uri: string }
  | {
      readonly kind: 'completion';
      readonly argument: string;
      /** The name of a prompt, or a URI template. */
      readonly of: string;
    }
  | { readonly kind: 'list'; readonly list: ListName }
  | { readonly kind: 'subscription'; readonly uri: string; readonly isEnd: boolean }
  | { readonly kind: 'other'; readonly method: string };

const lists: ReadonlyMap<string, ListName> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]);

export function subjectOf({
  method,
  params = {},
  isTask,
}: Pick<RunningRequest, 'method' | 'params' | 'isTask'>): RequestSubject {
  const list = lists.get(method);
  if (list !== undefined) {
    return { kind: 'list', list };
  }
  const { name, uri } = params;
  switch (method) {
    case 'tools/call':
      return { kind: isTask ? 'task' : 'tool', name: text(name) };
    case 'prompts/get':
      return { kind: 'prompt', name: text(name) };
    case 'resources/read':
      return { kind: 'resource', uri: text(uri) };
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return { kind: 'subscription', uri: text(uri), isEnd: method === 'resources/unsubscribe' };
    case 'completion/complete':
      return completion(params);
    default:
      return { kind: 'other', method };
  }
}

function completion({ argument, ref }: Readonly<Record<string, unknown>>): RequestSubject {
  const { name } = isObject(argument) ? argument : {};
  const { name: prompt, uri } = isObject(ref) ? ref : {};
  return { kind: 'completion', argument: text(name), of: text(prompt ?? uri) };
}

function text(value: unknown): string {
  return isString(value) ? value : '';
}
