/**
 * The protocol extensions that this client speaks. Each is declared only if the caller asks for it (EXT-01).
 * https://modelcontextprotocol.io/extensions/overview
 */
import { viewMimeType } from './types/apps.ts';

/** Those that a setting turns on by their names. */
export const extensionIds = ['io.modelcontextprotocol/tasks'] as const;

/** MCP Apps: on where a person can see them. */
export const appsExtension = 'io.modelcontextprotocol/ui';

export type NamedExtension = (typeof extensionIds)[number];
export type ExtensionId = NamedExtension | typeof appsExtension;

/** What is declared, by extension: its settings. */
export type Extensions = Readonly<Partial<Record<ExtensionId, object>>>;

/** The settings of {@link appsExtension}: what is rendered (APP-03). */
export const appsSettings = { mimeTypes: [viewMimeType] } as const;
