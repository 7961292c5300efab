/** What a connection needs of the host that it belongs to. */
import type { ClientFeatures } from '../../mcp/era/session.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { Connector, RootsSource } from '../ports.ts';
import type { SignIns } from '../signIn/signIns.ts';
import type { Clock } from './clock.ts';
import type { LaunchGate } from './prepareLaunch.ts';

/** Who signs requests in, as far as connections need them. */
export type Authorizers = Pick<SignIns, 'authorizerFor'>;

export interface ConnectionServices {
  /** Whether servers may run in this window at all. */
  readonly isTrusted: () => boolean;
  readonly gate: LaunchGate;
  /** Called on each start, so that nothing of the protocol is loaded before the first. */
  readonly connector: () => Connector;
  readonly roots: RootsSource;
  readonly signIns?: Authorizers | undefined;
  /** What the server may ask of us. */
  readonly features: (server: ServerConfig) => ClientFeatures;
  readonly clock: Clock;
}
