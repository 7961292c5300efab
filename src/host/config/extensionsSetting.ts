/** `mcpHost.extensions` → the MCP extensions that the user has turned on, for all servers. Pure. */
import { type ExtensionId, extensionIds } from '../../mcp/extensions.ts';
import type { ConfigProblem } from './serverConfig.ts';
import { parseWords } from './wordList.ts';

/** @param value of the user's settings only: a workspace must not decide what servers may use */
export function parseExtensions(value: unknown): {
  readonly extensions: readonly ExtensionId[];
  readonly problems: readonly ConfigProblem[];
} {
  const { words, problems } = parseWords('mcpHost.extensions', value, extensionIds, {
    things: 'extensions of the protocol',
    thing: 'an extension of the protocol that can be used',
  });
  return { extensions: words, problems };
}
