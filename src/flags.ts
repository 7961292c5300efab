/**
 * Entry point of the bundle that says what is odd about tools. The extension loads it when the first tool
 * is shown or asked about, and imports it by type only.
 */
import type { ServerConfig } from './host/config/serverConfig.ts';
import { ToolFlags } from './host/consent/toolFlags.ts';
import type { McpHost } from './host/servers/host.ts';
import type { Tool } from './mcp/types/lists.ts';
import { flagText } from './vscode/flagText.ts';

/** One sentence per flag, empty for a tool that has none. */
export type FlagSentences = (server: ServerConfig, tool: Tool) => readonly string[];

export function createFlagSentences(host: Pick<McpHost, 'servers'>): FlagSentences {
  const flags = new ToolFlags(() =>
    [...host.servers.values()].map(({ config, catalog }) => ({
      config,
      tools: catalog.items('tools'),
    })),
  );
  return (server, tool) => flags.of(server, tool).map(flagText);
}
