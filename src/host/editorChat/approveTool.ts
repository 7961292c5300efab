/**
 * Who decides on a call from the editor's own chat: the approvals, or only the editor if the user has set that. The
 * editor does not ask about calls of MCP apps, nor about each call once a skill was loaded, so the approvals always do.
 */
import { McpError } from '../../mcp/errors.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { BridgeSettings } from '../config/userSettings.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ToolApprovals, ToolInput } from '../toolApproval/approvals.ts';
import type { AppApprovals } from '../toolApproval/appApprovals.ts';

export interface ChatCall {
  readonly server: ServerConfig;
  readonly tool: Tool;
  readonly input: ToolInput;
  /** `app`: an MCP app of the server, shown in the chat. */
  readonly caller: 'model' | 'app';
}

/** Returns the input to send, which the user may have edited. @throws McpError `denied`; the signal's reason */
export type ApproveTool = (call: ChatCall, signal: AbortSignal) => Promise<ToolInput>;

/** @param acting references of the skills that the editor's own chat has loaded */
export function approveWith(
  approvals: Pick<ToolApprovals, 'request' | 'isRestricted'>,
  apps: Pick<AppApprovals, 'require'>,
  settings: () => BridgeSettings,
  acting: ReadonlySet<string>,
): ApproveTool {
  return async (call, signal) => {
    if (call.caller === 'app') {
      await apps.require(call, signal);
      return call.input;
    }
    const isLeft = settings().confirmation === 'vscode' && acting.size === 0;
    if (isLeft && !approvals.isRestricted(call)) {
      return call.input;
    }
    const outcome = await approvals.request({ ...call, skills: [...acting] }, signal);
    if (outcome.kind === 'denied') {
      throw new McpError('denied', `${outcome.why}. Nothing was sent. Do not repeat it.`);
    }
    return outcome.input;
  };
}
