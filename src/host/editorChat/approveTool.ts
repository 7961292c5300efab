/**
 * Who decides on a call from the editor's own chat: the approvals, or only the editor if the user has set that. The
 * editor does not ask about calls of MCP apps, so the approvals always do.
 */
import { McpError } from '../../mcp/errors.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { BridgeSettings } from '../config/userSettings.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ToolApprovals, ToolInput } from '../toolApproval/approvals.ts';
import { definitionOf } from '../toolApproval/toolDefinition.ts';
import { RateLimit } from '../../base/rateLimit.ts';
import type { Clock } from '../../base/clock.ts';

/** Calls of one server's apps per minute: an app may poll every second. */
export const maxAppCallsPerMinute = 60;

export interface ChatCall {
  readonly server: ServerConfig;
  readonly tool: Tool;
  readonly input: ToolInput;
  /** `app`: an MCP app of the server, shown in the chat. */
  readonly caller: 'model' | 'app';
}

/** Returns the input to send, which the user may have edited. @throws McpError `denied`; the signal's reason */
export type ApproveTool = (call: ChatCall, signal: AbortSignal) => Promise<ToolInput>;

export function approveWith(
  approvals: Pick<ToolApprovals, 'request'>,
  settings: () => BridgeSettings,
  clock: Pick<Clock, 'now'>,
): ApproveTool {
  const apps = new AppApprovals(approvals, clock);
  return async (call, signal) => {
    if (call.caller === 'app') {
      await apps.require(call, signal);
      return call.input;
    }
    if (settings().confirmation === 'vscode') {
      signal.throwIfAborted();
      return call.input;
    }
    const outcome = await approvals.request(call, signal);
    if (outcome.kind === 'denied') {
      throw denied();
    }
    return outcome.input;
  };
}

/** One answer, yes or no, counts for a tool until the window closes: apps call the same tool repeatedly. */
class AppApprovals {
  readonly #approvals: Pick<ToolApprovals, 'request'>;
  readonly #rate: RateLimit;
  /** By server and tool with their definitions: the answer, or the open question. */
  readonly #answers = new Map<string, Promise<boolean>>();

  constructor(approvals: Pick<ToolApprovals, 'request'>, clock: Pick<Clock, 'now'>) {
    this.#approvals = approvals;
    this.#rate = new RateLimit(maxAppCallsPerMinute, clock);
  }

  async require(call: ChatCall, signal: AbortSignal): Promise<void> {
    const { server, tool } = call;
    if (this.#rate.admit(server.id).kind === 'refused') {
      const text = `Apps of "${server.name}" call its tools more than ${maxAppCallsPerMinute} times a minute. Nothing was sent.`;
      throw new McpError('denied', text);
    }
    const key = JSON.stringify([server.id, tool.name, definitionOf(server, tool)]);
    const answer = this.#answers.get(key) ?? this.#ask(call, signal);
    this.#answers.set(key, answer);
    let isAllowed: boolean;
    try {
      isAllowed = await answer;
    } catch (error) {
      // A withdrawn question gives no answer for the next call.
      this.#answers.delete(key);
      throw error;
    }
    if (!isAllowed) {
      throw denied();
    }
  }

  async #ask(call: ChatCall, signal: AbortSignal): Promise<boolean> {
    return (await this.#approvals.request(call, signal)).kind === 'allowed';
  }
}

function denied(): McpError {
  const words = 'The user did not allow this call. Nothing was sent. Do not repeat it.';
  return new McpError('denied', words);
}
