/**
 * The protocol extensions that this client speaks. Each is declared only if the caller asks for it (EXT-01).
 * https://modelcontextprotocol.io/extensions/overview
 */
import { isObject, type JsonObject } from '../base/json.ts';
import { viewMimeType } from './types/apps.ts';
import type { ServerCapabilities } from './types/methods.ts';

/** Those that a setting turns on by their names. */
export const extensionIds = ['io.modelcontextprotocol/tasks'] as const;

/** MCP Apps: on where a person can see them. */
export const appsExtension = 'io.modelcontextprotocol/ui';

/** Skills over MCP: without settings of the client (SKL-03). */
export const skillsExtension = 'io.modelcontextprotocol/skills';

export type NamedExtension = (typeof extensionIds)[number];
export type ExtensionId = NamedExtension | typeof appsExtension | typeof skillsExtension;

/** What is declared, by extension: its settings. */
export type Extensions = Readonly<Partial<Record<ExtensionId, object>>>;

/** What a server declares of an extension; undefined where it does not speak it. */
export function extensionOf(
  capabilities: ServerCapabilities,
  id: ExtensionId,
): JsonObject | undefined {
  const { extensions } = capabilities;
  const settings = isObject(extensions) ? extensions[id] : undefined;
  return isObject(settings) ? settings : undefined;
}

/** The settings of {@link appsExtension}: what is rendered (APP-03). */
export const appsSettings = { mimeTypes: [viewMimeType] } as const;
