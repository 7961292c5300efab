/** What happens while the agent answers, for display. */
import type { McpError } from '../../mcp/errors.ts';
import type { Progress } from '../../mcp/session/session.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { SkillAddress } from '../skills/namedSkills.ts';
import type { ToolInput } from '../toolApproval/approvals.ts';
import type { ToolOutcome } from '../tools/callTool.ts';
import type { AgentServer } from './agentServer.ts';
import type { OfferedTool } from './modelTools.ts';

export interface AgentCall {
  readonly server: AgentServer;
  readonly tool: Tool;
}

export type CallEnd =
  | {
      readonly kind: 'result';
      readonly outcome: Extract<ToolOutcome, { kind: 'result' }>;
      readonly durationMs: number;
      /** Characters that did not fit into the model's input. */
      readonly cutChars: number;
      /** The editor draws the app of the tool in the answer. */
      readonly isDrawn: boolean;
    }
  | { readonly kind: 'denied' }
  | { readonly kind: 'invalidInput'; readonly problems: readonly string[] }
  | { readonly kind: 'failed'; readonly error: McpError };

export type AgentEvent =
  /** A piece of the model's answer. */
  | { readonly kind: 'text'; readonly text: string }
  /** The model wants a call; the user may be asked now. */
  | { readonly kind: 'callRequested'; readonly call: AgentCall }
  | { readonly kind: 'callStarted'; readonly call: AgentCall }
  | { readonly kind: 'callProgress'; readonly call: AgentCall; readonly progress: Progress }
  | {
      readonly kind: 'callEnded';
      readonly call: AgentCall;
      /** The input that was sent, what the user saw last; or the one that the model wanted to send. */
      readonly input: ToolInput;
      readonly end: CallEnd;
    }
  | { readonly kind: 'resourceRead'; readonly server: AgentServer; readonly uri: string }
  /** A skill was loaded, or a file of it read. */
  | { readonly kind: 'skillUsed'; readonly skill: SkillAddress; readonly file?: string }
  | { readonly kind: 'toolsFound'; readonly query: string; readonly tools: readonly OfferedTool[] }
  /** Servers announced these after the last request; the model may use them from now on (SEC-13). */
  | { readonly kind: 'toolsAdded'; readonly tools: readonly OfferedTool[] }
  /** More tools are on than a request may offer; the model finds the others by its own search. */
  | {
      readonly kind: 'toolsOverLimit';
      /** Number of tools that are on. */
      readonly count: number;
      readonly limit: number;
      readonly leftOut: readonly OfferedTool[];
    }
  /** The model is asked for a summary of old turns, which do not fit it any more. */
  | { readonly kind: 'summarizing' }
  | { readonly kind: 'summarized'; readonly text: string }
  /** Older parts of the conversation did not fit the model. */
  | { readonly kind: 'historyCut' }
  /** The model takes no images. */
  | { readonly kind: 'imagesLeftOut' };
