/**
 * Calls of `@mcp` that the editor makes over the bridge, since it draws the apps of its own calls in the answer. The call
 * is approved before, and is made as approved when it arrives at the bridge.
 */
import { McpError } from '../../mcp/errors.ts';
import { stableStringify } from '../../base/json.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { ToolInput } from '../toolApproval/approvals.ts';
import type { ToolOutcome } from '../tools/callTool.ts';

interface ApprovedCall {
  readonly server: ServerId;
  readonly tool: string;
  readonly input: ToolInput;
}

interface OpenCall {
  readonly key: string;
  readonly make: () => Promise<ToolOutcome>;
  made?: Promise<ToolOutcome>;
}

export class DrawnCalls {
  readonly #open = new Set<OpenCall>();

  /**
   * @param make makes the call; also if the editor does not, for another reason than the user
   * @param invoke has the editor make the call; resolves when the editor has its result
   * @throws McpError `denied` if the user does not let the editor make the call; what `make` rejects with
   */
  async run(
    call: ApprovedCall,
    make: () => Promise<ToolOutcome>,
    invoke: () => Promise<unknown>,
  ): Promise<ToolOutcome> {
    const open: OpenCall = { key: keyOf(call), make };
    this.#open.add(open);
    try {
      await invoke();
    } catch (error) {
      if (open.made === undefined && isRefusal(error)) {
        throw new McpError('denied', 'The user did not let the editor make this call');
      }
    } finally {
      this.#open.delete(open);
    }
    return open.made ?? make();
  }

  /** Makes the call if it is one of these, each once. Undefined: it is another call, and nothing is approved. */
  take(call: ApprovedCall): Promise<ToolOutcome> | undefined {
    const key = keyOf(call);
    const open = [...this.#open].find((one) => one.key === key);
    if (open === undefined) {
      return undefined;
    }
    this.#open.delete(open);
    open.made = open.make();
    return open.made;
  }
}

function keyOf({ server, tool, input }: ApprovedCall): string {
  return stableStringify([server, tool, input]);
}

/** The editor rejects with an error of this name if the user closes or declines its question. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'Canceled';
}
