/** What servers are told of the folders of the workspace. */
import type { Disposable } from '../../base/disposable.ts';
import type { Root } from '../../mcp/types/methods.ts';
import type { ServerConfig } from '../config/serverConfig.ts';

/** The folders that a server is told of. */
export interface RootsSource {
  /** Those that can be reached now: it is looked at within a second. */
  rootsFor(server: ServerConfig): Promise<readonly Root[]>;
  /** Calls `onChange` when they have become others (ROOT-04), within seconds of a folder that comes or goes. */
  watch(server: ServerConfig, onChange: () => void): Disposable;
}
