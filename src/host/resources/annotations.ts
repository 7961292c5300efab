/**
 * A server's annotations of a resource or of content: its audience, priority and age. They are hints, as received; only
 * `host/chat/audience.ts` acts on them.
 */
import { isObject, isString } from '../../base/json.ts';

export interface ReadAnnotations {
  /** Empty when the server does not say. */
  readonly audience: readonly ('user' | 'assistant')[];
  /** From 0, entirely optional, to 1, as good as required. */
  readonly priority?: number;
  /** ISO 8601, if the server follows the specification. */
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
