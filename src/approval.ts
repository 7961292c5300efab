/**
 * Entry point of the bundle behind the question before a tool runs, behind what is odd about tools, and behind the
 * details of what servers offer. The extension loads it when the first tool is shown or asked about, and imports it
 * by type only.
 */
import type { ApprovalPrompt } from './host/ports.ts';
import type { McpHost } from './host/servers/host.ts';
import { type ToolApprovalServices, toolApprovalDialog } from './vscode/dialogs/toolApproval.ts';
import { createToolWatch, type ToolWatch } from './vscode/toolWatch.ts';

export { showDetails } from './vscode/definitionDocument.ts';

export function createApproval(
  host: Pick<McpHost, 'servers'>,
  services: Omit<ToolApprovalServices, 'watch'>,
): { readonly watch: ToolWatch; readonly prompt: ApprovalPrompt } {
  const watch = createToolWatch(host);
  return { watch, prompt: toolApprovalDialog({ ...services, watch }) };
}
