/** What one server may ask of us: the switches of its entry, bound to the handlers. Both eras call these. */
import type { ClientFeatures } from '../../mcp/era/session.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { RootsSource } from '../ports.ts';
import type { Elicitation } from './elicitation.ts';

export interface AskHandlers {
  readonly roots: RootsSource;
  /** Called when a server first elicits. */
  readonly elicitation?: () => Pick<Elicitation, 'elicit' | 'completed'>;
}

export function featuresFor(
  server: ServerConfig,
  { roots, elicitation }: AskHandlers,
): ClientFeatures {
  return {
    ...(server.roots !== 'none' && { listRoots: async () => roots.rootsFor(server) }),
    ...(server.elicitation &&
      elicitation && {
        elicit: async (request, context) => elicitation().elicit(server, request, context),
        elicitationCompleted: (id) => elicitation().completed(server, id),
      }),
  };
}
