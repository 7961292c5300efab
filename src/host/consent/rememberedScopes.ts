/** For how long a yes to a server's tools, or to its resources and prompts, may be remembered. Pure. */
import type { ServerConfig } from '../config/serverConfig.ts';
import type { RememberedScope } from './toolQuestion.ts';

/**
 * "Always" is for servers of the user's own settings: the next workspace may have another server of
 * the same name.
 */
export function rememberedScopes({ scope }: ServerConfig): readonly RememberedScope[] {
  return scope.kind === 'user' ? ['session', 'workspace', 'always'] : ['session', 'workspace'];
}
