/** How long a yes to a server's tools, or to its resources and prompts, may be remembered. Pure. */
import type { ServerConfig } from './serverConfig.ts';

/**
 * "Always" is only for servers of the user's settings that are the same in every workspace: another workspace may have
 * another server of the same name, and another folder for `${workspaceFolder}`.
 */
export function rememberedScopes({ scope, folders }: ServerConfig): readonly RememberedScope[] {
  return scope.kind === 'user' && folders === undefined
    ? ['session', 'workspace', 'always']
    : ['session', 'workspace'];
}

/** How long an answer counts. `session`: until the window closes. */
export type ApprovalScope = 'once' | 'session' | 'workspace' | 'always';

export type RememberedScope = Exclude<ApprovalScope, 'once'>;
