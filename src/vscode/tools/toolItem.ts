/** A tool in a pick: its name, its server's description, and what is odd about it. */
import type * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { oneLine } from '../text/text.ts';
import type { FlagSentences } from '../toolFlags/toolWatch.ts';

/** With a warning and its reasons if there are any, as in the view. */
export function toolItem(
  server: ServerConfig,
  tool: Tool,
  flagsOf: FlagSentences,
): Pick<vscode.QuickPickItem, 'label' | 'detail'> {
  const label = oneLine(displayLabel(tool), 80);
  const flags = flagsOf(server, tool);
  return flags.length === 0
    ? { label }
    : { label: `$(warning) ${label}`, detail: oneLine(flags.join(' '), 300) };
}
