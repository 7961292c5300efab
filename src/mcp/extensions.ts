/**
 * The extensions of the protocol that this client speaks. None is declared unless whoever opens a conversation asks for
 * it (EXT-01). https://modelcontextprotocol.io/extensions/overview
 */
import type { JsonObject } from '../base/json.ts';

export const extensionIds = ['io.modelcontextprotocol/tasks'] as const;

export type ExtensionId = (typeof extensionIds)[number];

/** What is declared of each; empty: no options. */
export const extensionSettings: Readonly<Record<ExtensionId, JsonObject>> = {
  'io.modelcontextprotocol/tasks': {},
};
