/**
 * What a server says of a resource or a piece of content besides its text: for whom it is, how
 * important, how old. Hints of the server's, as received; nothing here acts on them (`host/chat/audience.ts` does).
 */
import { isObject, isString } from '../../base/json.ts';

export interface ReadAnnotations {
  /** Empty when the server does not say. */
  readonly audience: readonly ('user' | 'assistant')[];
  /** From 0, entirely optional, to 1, as good as required. */
  readonly priority?: number;
  /** ISO 8601, as far as the server keeps to it. */
  readonly lastModified?: string;
}

/** The members that are well-formed (schema of revision 2025-11-25, Annotations), for a value of any shape. */
export function readAnnotations(value: unknown): ReadAnnotations {
  const { audience, priority, lastModified } = isObject(value) ? value : {};
  const named = new Set<unknown>(Array.isArray(audience) ? audience : []);
  return {
    audience: (['user', 'assistant'] as const).filter((role) => named.has(role)),
    ...(typeof priority === 'number' && priority >= 0 && priority <= 1 && { priority }),
    ...(isString(lastModified) && lastModified.trim() !== '' && { lastModified }),
  };
}
