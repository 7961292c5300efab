/**
 * The protocol extensions that this client speaks. Each is declared only if the caller asks for it (EXT-01).
 * https://modelcontextprotocol.io/extensions/overview
 */
export const extensionIds = ['io.modelcontextprotocol/tasks'] as const;

export type ExtensionId = (typeof extensionIds)[number];
