/** What one server may ask of us: the switches of its entry, bound to the handlers. Both eras call these. */
import type { ClientFeatures } from '../../mcp/era/session.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { RootsSource } from '../ports.ts';

export interface AskHandlers {
  readonly roots: RootsSource;
}

export function featuresFor(server: ServerConfig, { roots }: AskHandlers): ClientFeatures {
  return server.roots === 'none' ? {} : { listRoots: async () => roots.rootsFor(server) };
}
