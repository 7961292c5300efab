/** What the user is asked before a tool runs, and what the answers are. Pure data; the policy is in approvals.ts. */
import type { ApprovalScope, RememberedScope } from '../config/rememberedScopes.ts';
import type { Turn } from '../questions/questionQueue.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { ExtensionClaim, ServerConfig } from '../config/serverConfig.ts';
import type { ToolClaims } from './toolClaims.ts';

export type ToolInput = Readonly<Record<string, unknown>>;

/** What a remembered yes is bound to. `server`: what its entry starts or reaches. */
export type DefinitionPart = 'server' | 'title' | 'description' | 'inputSchema' | 'annotations';

export interface ToolRequest {
  readonly server: ServerConfig;
  readonly tool: Tool;
  readonly input: ToolInput;
  /**
   * Who wants the call. A call by hand is always shown before it is sent; so is the first one of an app, an interface
   * of the server's own that a chat shows.
   */
  readonly caller: 'model' | 'user' | 'extension' | 'app';
  /** Which one says that it calls; with the caller `extension`. */
  readonly extension?: ExtensionClaim;
}

export interface ToolQuestion extends ToolRequest {
  readonly claims: ToolClaims;
  /** The user marked the server as trusted. */
  readonly isTrusted: boolean;
  /** What is different since the user allowed this tool for longer; empty when that was never so. */
  readonly changes: readonly DefinitionPart[];
  /** The definition as it was then, as {@link definitionText} made it; absent when it is not known. */
  readonly before?: string;
  /** How long a yes may be remembered, besides `once`. */
  readonly scopes: readonly RememberedScope[];
}

export type ToolAnswer =
  | { readonly kind: 'deny' }
  /** Asked again when the user opens it, with the input as it was left. */
  | { readonly kind: 'later'; readonly input: ToolInput }
  | {
      readonly kind: 'allow';
      /** As it was shown last. */
      readonly input: ToolInput;
      readonly scope: ApprovalScope;
    };

export interface ApprovalPrompt {
  /** Closing the question is a no. */
  confirmTool(question: ToolQuestion, turn: Turn): Promise<ToolAnswer>;
}
