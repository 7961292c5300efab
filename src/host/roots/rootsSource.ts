/** The workspace folders that servers get as roots. */
import type { Disposable } from '../../base/disposable.ts';
import type { Root } from '../../mcp/types/methods.ts';
import type { ServerConfig } from '../config/serverConfig.ts';

/** The roots of each server. */
export interface RootsSource {
  /** The roots that are reachable now; answers within a second. */
  rootsFor(server: ServerConfig): Promise<readonly Root[]>;
  /** Calls `onChange` when the roots have changed (ROOT-04), within seconds after a folder appears or disappears. */
  watch(server: ServerConfig, onChange: () => void): Disposable;
}
