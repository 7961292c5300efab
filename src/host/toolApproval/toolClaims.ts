/**
 * What a server says of a tool: its behaviour, with the defaults of the specification, and who may call it. Not facts
 * (TOOL-02).
 */
import type { Tool } from '../../mcp/types/lists.ts';
import { isObject, isString } from '../../base/json.ts';

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

/**
 * Whether models may call a tool of a server with MCP apps; also where the server does not say.
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx (`_meta.ui.visibility`)
 */
export function isForModels(tool: Tool): boolean {
  return isFor(tool, 'model');
}

/** Whether its apps may call it; also where the server does not say. */
export function isForApps(tool: Tool): boolean {
  return isFor(tool, 'app');
}

/** Whether an app of the server shows calls of the tool. */
export function hasApp({ _meta: meta = {} }: Tool): boolean {
  const { ui } = meta;
  return isString(meta['ui/resourceUri']) || (isObject(ui) && isString(ui['resourceUri']));
}

function isFor({ _meta: meta = {} }: Tool, who: 'model' | 'app'): boolean {
  const { ui } = meta;
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  return !Array.isArray(visibility) || visibility.includes(who);
}
