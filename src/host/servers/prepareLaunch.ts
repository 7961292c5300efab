import type { Resolution } from '../config/resolveLaunch.ts';
import type { ServerConfig } from '../config/serverConfig.ts';

/** Stands between a wish to start a server and the start. */
export interface LaunchGate {
  /**
   * Asks for consent and for inputs where they are missing, and says what to run.
   * @throws McpError `denied` when the user says no, `cancelled`, `invalidConfig`
   */
  prepare(server: ServerConfig, signal: AbortSignal): Promise<Resolution>;
  /** Whether {@link prepare} would ask for consent. */
  needsConsent(server: ServerConfig): Promise<boolean>;
}
