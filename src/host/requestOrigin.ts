/** Who wants a request, as it travels with it through the protocol client, which does not look into it. */
import { isObject, isString } from '../base/json.ts';

export type RequestOrigin =
  /** A model, in a chat or as an agent. */
  | { readonly kind: 'model' }
  /** The user, by hand. */
  | { readonly kind: 'user' }
  /** Another extension. */
  | { readonly kind: 'extension'; readonly id: string }
  /** A program that was given the server over the bridge, such as the editor's own chat. */
  | { readonly kind: 'client' };

export const fromModel: RequestOrigin = { kind: 'model' };
export const fromUser: RequestOrigin = { kind: 'user' };
export const fromClient: RequestOrigin = { kind: 'client' };

/**
 * Whether a person has just started what the request is part of, and so is there to answer a question: a model answers
 * one, and of what an extension wants the person is told by name. What nobody said is what the editor does by itself; a
 * client of the bridge lists and connects so, and whoever passes its calls on knows which of them a person is behind.
 */
export function isAsked(origin: RequestOrigin | undefined): boolean {
  return origin !== undefined && origin.kind !== 'client';
}

/** Undefined where nobody said. */
export function readOrigin(value: unknown): RequestOrigin | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { kind, id } = value;
  if (kind === 'model' || kind === 'user' || kind === 'client') {
    return { kind };
  }
  return kind === 'extension' && isString(id) ? { kind, id } : undefined;
}
