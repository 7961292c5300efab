/**
 * What a remembered approval is bound to: everything of a tool that the user could have read, and the server's launch,
 * part by part, so that a later question can say what has changed. Pure.
 */
import { createHash } from 'node:crypto';
import { isObject, isString, stableStringify } from '../../base/json.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { DefinitionPart } from './toolQuestion.ts';
import { launchHash } from './trustedServers.ts';

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

/** Undefined for a value that is not from {@link definitionOf}. */
export function readDefinition(value: unknown): ToolDefinition | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { server, title, description, inputSchema, annotations } = value;
  return isString(server) &&
    isString(title) &&
    isString(description) &&
    isString(inputSchema) &&
    isString(annotations)
    ? { server, title, description, inputSchema, annotations }
    : undefined;
}

/** JSON leaves an undefined value out; it gets a hash, too. */
function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(value === undefined ? '' : stableStringify(value))
    .digest('hex');
}
