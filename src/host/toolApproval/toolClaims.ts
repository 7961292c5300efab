/** What a server says of a tool's behaviour, with the defaults of the specification. Not facts (TOOL-02). */
import type { Tool } from '../../mcp/types/lists.ts';

/** What a call may do, according to the server. */
export type ToolEffect =
  /** Only reads. */
  | 'readOnly'
  /** Adds without changing or deleting anything: `destructiveHint: false` is not "read-only" (TRAP-50). */
  | 'additive'
  /** May change or delete. */
  | 'destructive';

export interface ToolClaims {
  readonly effect: ToolEffect;
  /** False where the server said nothing and the specification's default applies. */
  readonly isEffectStated: boolean;
  /** Whether the tool reaches beyond the server, such as the web. */
  readonly isOpenWorld: boolean;
  readonly isOpenWorldStated: boolean;
  /** Undefined for a read-only tool, where it has no meaning. */
  readonly isIdempotent?: boolean;
}

/**
 * Defaults by the schema of revision 2025-11-25, ToolAnnotations: read-only false, destructive true, idempotent false,
 * open world true (TOOL-03). A hint of a wrong type is ignored.
 */
export function claimsOf({ annotations = {} }: Tool): ToolClaims {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const world = {
    isOpenWorld: openWorldHint !== false,
    isOpenWorldStated: typeof openWorldHint === 'boolean',
  };
  if (readOnlyHint === true) {
    return { effect: 'readOnly', isEffectStated: true, ...world };
  }
  return {
    effect: destructiveHint === false ? 'additive' : 'destructive',
    isEffectStated: typeof destructiveHint === 'boolean',
    ...world,
    isIdempotent: idempotentHint === true,
  };
}
