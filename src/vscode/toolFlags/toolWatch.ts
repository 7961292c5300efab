/** What is odd about a tool, and how it has changed, in words for people; the rules are in host/toolApproval. */
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import { definitionText, lineDifference } from '../../host/toolApproval/toolDefinition.ts';
import { ToolFlags } from '../../host/toolApproval/toolFlags.ts';
import type { ToolQuestion } from '../../host/toolApproval/toolQuestion.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { flagText } from './flagText.ts';

/** One sentence per flag; empty for none. */
export type FlagSentences = (server: ServerConfig, tool: Tool) => readonly string[];

export interface ToolWatch {
  readonly flagsOf: FlagSentences;
  /** Lines with `- ` and `+ `; none when either definition is unknown. */
  readonly differenceOf: (question: Pick<ToolQuestion, 'before' | 'tool'>) => readonly string[];
}

export function createToolWatch(host: Pick<McpHost, 'servers'>): ToolWatch {
  const flags = new ToolFlags(() =>
    [...host.servers.values()].map(({ config, catalog }) => ({
      config,
      tools: catalog.items('tools'),
    })),
  );
  return {
    flagsOf: (server, tool) => flags.of(server, tool).map(flagText),
    differenceOf: ({ before, tool }) => {
      const now = definitionText(tool);
      return before === undefined || now === undefined ? [] : lineDifference(before, now);
    },
  };
}
