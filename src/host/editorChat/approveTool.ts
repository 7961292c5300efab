/** Who decides on a call that comes from the editor's own chat: the approvals, or the editor alone. */
import { McpError } from '../../mcp/errors.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { BridgeSettings } from '../config/bridgeSettings.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ToolApprovals } from '../consent/approvals.ts';
import type { ToolInput } from '../consent/toolQuestion.ts';

/** Gives the input to send, which the user may have changed. @throws McpError `denied`; the signal's reason */
export type ApproveTool = (
  server: ServerConfig,
  tool: Tool,
  input: ToolInput,
  signal: AbortSignal,
) => Promise<ToolInput>;

export function approveWith(
  approvals: Pick<ToolApprovals, 'request'>,
  settings: () => BridgeSettings,
): ApproveTool {
  return async (server, tool, input, signal) => {
    if (settings().confirmation === 'vscode') {
      signal.throwIfAborted();
      return input;
    }
    const outcome = await approvals.request({ server, tool, input, caller: 'model' }, signal);
    if (outcome.kind === 'denied') {
      const words = 'The user did not allow this call. Nothing was sent. Do not repeat it.';
      throw new McpError('denied', words);
    }
    return outcome.input;
  };
}
