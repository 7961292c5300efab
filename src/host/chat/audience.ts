/** The audience and the priority of what a server sends, by its annotations. Pure. */
import type { Annotations } from '../../mcp/types/content.ts';
import { readAnnotations } from '../resources/resourceContents.ts';

/** No audience, or an invalid one, means everybody. */
export function isFor(who: 'user' | 'assistant', annotations: Annotations | undefined): boolean {
  const { audience } = readAnnotations(annotations);
  return audience.length === 0 || audience.includes(who);
}

/** Content without priority is neither important nor unimportant. */
export const usualPriority = 0.5;

/** 1 the most important, 0 the least (schema of revision 2025-11-25, Annotations.priority). */
export function priorityOf(annotations: Annotations | undefined): number {
  return readAnnotations(annotations).priority ?? usualPriority;
}
