/** What the user is asked before a tool runs, and what the answers are. Pure data; the policy is in approvals.ts. */
import type { Tool } from '../../mcp/types/lists.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ToolClaims } from './toolClaims.ts';

export type ToolInput = Readonly<Record<string, unknown>>;

/** How long an answer counts. `session`: until the window closes. */
export type ApprovalScope = 'once' | 'session' | 'workspace' | 'always';
export type RememberedScope = Exclude<ApprovalScope, 'once'>;

export interface ToolRequest {
  readonly server: ServerConfig;
  readonly tool: Tool;
  readonly input: ToolInput;
  /** Who wants the call. A call by hand is always shown before it is sent. */
  readonly caller: 'model' | 'user';
}

export interface ToolQuestion extends ToolRequest {
  readonly claims: ToolClaims;
  /** The user marked the server as trusted. */
  readonly isTrusted: boolean;
  /** The user allowed this tool before, but its definition, or the server's entry, has changed. */
  readonly isChanged: boolean;
  /** How long a yes may be remembered, besides `once`. */
  readonly scopes: readonly RememberedScope[];
}

export type ToolAnswer =
  | { readonly kind: 'deny' }
  | {
      readonly kind: 'allow';
      /** As it was shown last. */
      readonly input: ToolInput;
      readonly scope: ApprovalScope;
    };
