/** Who makes a request. The protocol client passes it along without reading it. */
import { isObject, isString } from '../base/json.ts';

export type RequestOrigin =
  /** A model, in a chat or as an agent. */
  | { readonly kind: 'model' }
  /** The user, by hand. */
  | { readonly kind: 'user' }
  /** Another extension. */
  | { readonly kind: 'extension'; readonly id: string }
  /** A client of the bridge, such as the editor's own chat. */
  | { readonly kind: 'client' }
  /** An MCP app of the server, by itself or because a person used it. */
  | { readonly kind: 'app' };

export const fromModel: RequestOrigin = { kind: 'model' };
export const fromUser: RequestOrigin = { kind: 'user' };
export const fromClient: RequestOrigin = { kind: 'client' };
export const fromApp: RequestOrigin = { kind: 'app' };

/**
 * Whether a person has just caused the request, and can answer a question: a model answers a person, and for an
 * extension the question names it. A request without origin is made by the editor itself. A client of the bridge also
 * lists and connects by itself; the code that passes its calls on knows which of them a person has caused. Apps poll.
 */
export function isAsked(origin: RequestOrigin | undefined): boolean {
  return origin !== undefined && origin.kind !== 'client' && origin.kind !== 'app';
}

/** Undefined without an origin. */
export function readOrigin(value: unknown): RequestOrigin | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { kind, id } = value;
  if (kind === 'model' || kind === 'user' || kind === 'client' || kind === 'app') {
    return { kind };
  }
  return kind === 'extension' && isString(id) ? { kind, id } : undefined;
}
