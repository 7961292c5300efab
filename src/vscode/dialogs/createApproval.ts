/** Puts together the question before a tool runs, and the watch for what is odd about tools. */
import type { ApprovalPrompt } from '../../host/ports.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { type ToolApprovalServices, toolApprovalDialog } from './toolApproval.ts';
import { createToolWatch, type ToolWatch } from '../toolWatch.ts';

export function createApproval(
  host: Pick<McpHost, 'servers'>,
  services: Omit<ToolApprovalServices, 'watch'>,
): { readonly watch: ToolWatch; readonly prompt: ApprovalPrompt } {
  const watch = createToolWatch(host);
  return { watch, prompt: toolApprovalDialog({ ...services, watch }) };
}
