/**
 * The protocol extensions that this client speaks. Each is declared only if the caller asks for it (EXT-01).
 * https://modelcontextprotocol.io/extensions/overview
 */
import type { JsonObject } from '../base/json.ts';

export const extensionIds = ['io.modelcontextprotocol/tasks'] as const;

export type ExtensionId = (typeof extensionIds)[number];

/** The settings declared for each extension; empty: no options. */
export const extensionSettings: Readonly<Record<ExtensionId, JsonObject>> = {
  'io.modelcontextprotocol/tasks': {},
};
