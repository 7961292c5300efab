/**
 * What a server says of a tool: what it may do, and what a remembered approval is bound to, part by part, so that a later
 * question can say what has changed. That is everything of the tool that the user could have read, and the server's
 * launch; also as text, to show how it has changed. Pure.
 */
import { createHash } from 'node:crypto';
import { isObject, isString, stableStringify } from '../../base/json.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import { launchHash } from './trustedServers.ts';

/** What a remembered yes is bound to. `server`: what its entry starts or connects to. */
export type DefinitionPart = 'server' | 'title' | 'description' | 'inputSchema' | 'annotations';

/** In the order in which changes are shown. */
const parts: readonly DefinitionPart[] = [
  'server',
  'title',
  'description',
  'inputSchema',
  'annotations',
];

/** A hash of each part. */
export type ToolDefinition = Readonly<Record<DefinitionPart, string>>;

export function definitionOf(server: ServerConfig, tool: Tool): ToolDefinition {
  return {
    server: launchHash(server),
    title: hashOf(tool.title),
    description: hashOf(tool.description),
    inputSchema: hashOf(tool.inputSchema),
    annotations: hashOf(tool.annotations),
  };
}

export function changesIn(before: ToolDefinition, now: ToolDefinition): readonly DefinitionPart[] {
  return parts.filter((part) => before[part] !== now[part]);
}

/** Whether it is from {@link definitionOf}. */
export function isDefinition(value: unknown): value is ToolDefinition {
  return isObject(value) && parts.every((part) => isString(value[part]));
}

/** JSON leaves an undefined value out; it gets a hash, too. */
function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(value === undefined ? '' : stableStringify(value))
    .digest('hex');
}

/** Characters. For a longer definition the approval knows which parts have changed, but not how. */
const maxKept = 20_000;

/** Each sentence is a line, so that a changed one stands out. Undefined for a text that is too long to keep. */
export function definitionText(tool: Tool): string | undefined {
  const { title, description, inputSchema, annotations } = tool;
  const sections: readonly (readonly [string, string])[] = [
    ['title', title ?? ''],
    ['description', (description ?? '').replaceAll(/(?<=[.!?])[ \t]+(?=\S)/gu, '\n')],
    ['inputSchema', json(inputSchema)],
    ['annotations', json(annotations)],
  ];
  const text = sections
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  return text.length > maxKept ? undefined : text;
}

function json(value: unknown): string {
  return value === undefined
    ? ''
    : JSON.stringify(JSON.parse(stableStringify(value)), undefined, 2);
}

/** What a call may do, according to the server. */
export type ToolEffect =
  /** Only reads. */
  | 'readOnly'
  /** Adds without changing or deleting anything: `destructiveHint: false` is not "read-only" (TRAP-50). */
  | 'additive'
  /** May change or delete. */
  | 'destructive';

/** With the defaults of the specification. Not facts (TOOL-02). */
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
