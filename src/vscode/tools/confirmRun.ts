/** The modal before a tool runs: who runs it, what it says of itself, and exactly what is sent. */
import * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { manyLines, oneLine } from '../text.ts';
import type { ToolInput } from './askInput.ts';

/** Longer inputs are cut in the dialog, which says so; they can be read in full in the result's document. */
const maxInputLength = 4000;

export async function confirmRun(server: string, tool: Tool, input: ToolInput): Promise<boolean> {
  const run = vscode.l10n.t('Run');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Run "{0}" on the MCP server "{1}"?',
      oneLine(displayLabel(tool), 100),
      oneLine(server, 100),
    ),
    { modal: true, detail: detail(tool, input) },
    run,
  );
  return answer === run;
}

function detail(tool: Tool, input: ToolInput): string {
  const json = JSON.stringify(input, undefined, 2);
  return [
    `${vscode.l10n.t('Tool')}: ${oneLine(tool.name, 130)}`,
    ...(tool.description === undefined
      ? []
      : ['', vscode.l10n.t('Description by the server:'), manyLines(tool.description, 600)]),
    '',
    vscode.l10n.t('Input:'),
    json.length <= maxInputLength
      ? json
      : `${json.slice(0, maxInputLength)}… ${vscode.l10n.t('({0} more characters)', json.length - maxInputLength)}`,
  ].join('\n');
}
