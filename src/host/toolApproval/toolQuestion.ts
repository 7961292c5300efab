/** The question to the user before a tool runs, and its answers. Pure data; the policy is in approvals.ts. */
import type {
  ApprovalScope,
  ExtensionClaim,
  RememberedScope,
  ServerConfig,
} from '../config/serverConfig.ts';
import type { Turn } from '../questions/questionQueue.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { ToolClaims } from './toolClaims.ts';

export type ToolInput = Readonly<Record<string, unknown>>;

/** What a remembered yes is bound to. `server`: what its entry starts or connects to. */
export type DefinitionPart = 'server' | 'title' | 'description' | 'inputSchema' | 'annotations';

export interface ToolRequest {
  readonly server: ServerConfig;
  readonly tool: Tool;
  readonly input: ToolInput;
  /**
   * Who makes the call. A call by hand is always shown before it is sent; so is the first call of an MCP app, an
   * interface of the server that a chat shows.
   */
  readonly caller: 'model' | 'user' | 'extension' | 'app';
  /** The extension that claims to call; with the caller `extension`. */
  readonly extension?: ExtensionClaim;
}

export interface ToolQuestion extends ToolRequest {
  readonly claims: ToolClaims;
  /** The user marked the server as trusted. */
  readonly isTrusted: boolean;
  /** What has changed since the user allowed this tool for longer; empty when that never happened. */
  readonly changes: readonly DefinitionPart[];
  /** The definition at that time, made by {@link definitionText}; absent when unknown. */
  readonly before?: string;
  /** How long a yes may be remembered, besides `once`. */
  readonly scopes: readonly RememberedScope[];
}

export type ToolAnswer =
  | { readonly kind: 'deny' }
  /** The user reopens the question later, with the input as it was left. */
  | { readonly kind: 'later'; readonly input: ToolInput }
  | {
      readonly kind: 'allow';
      /** The input as last shown. */
      readonly input: ToolInput;
      readonly scope: ApprovalScope;
    };

export interface ApprovalPrompt {
  /** Closing the question is a no. */
  confirmTool(question: ToolQuestion, turn: Turn): Promise<ToolAnswer>;
}
