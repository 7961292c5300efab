/** What a connection needs of its host. */
import type { Connector } from './connector.ts';
import type { LaunchGate, ResolvedLaunch } from '../launch/launchGate.ts';
import type { RootsSource } from '../roots/workspaceRoots.ts';
import type { MessageTap } from '../../mcp/messageTap.ts';
import type { ClientFeatures, Session } from '../../mcp/session/session.ts';
import { Catalog } from '../catalog/catalog.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { HttpAuthorizer } from '../../mcp/httpAuthorizer.ts';
import type { SignIns } from '../signIn/signIns.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disruptions } from './disruptions.ts';
import type { Run } from './run.ts';
import type { ServerAccount } from './serverMemory.ts';
import type { ServerOutput } from './serverOutput.ts';

/** The part of sign-in that connections need. */
export type Authorizers = Pick<SignIns, 'authorizerFor'>;

export interface ConnectionServices {
  /** Whether servers may run in this window at all. */
  readonly isTrusted: () => boolean;
  readonly gate: LaunchGate;
  /** Called on each start, so that the protocol is not loaded before the first. */
  readonly connector: () => Connector;
  readonly roots: RootsSource;
  readonly signIns?: Authorizers | undefined;
  /** Counts all data of the server that is held. */
  readonly memory: ServerAccount;
  /** Requests that the server may send to us. */
  readonly features: (server: ServerConfig) => ClientFeatures;
  readonly clock: Clock;
  /** Of the machine: one for all connections. */
  readonly disruptions: Disruptions;
}

/**
 * Signs the requests of one start in, and logs that in the server's log.
 * @param mayAsk whether a person can answer questions
 */
function authorizerOf(
  { signIns }: Pick<ConnectionServices, 'signIns'>,
  { config, output }: { readonly config: ServerConfig; readonly output: ServerOutput },
  launch: ResolvedLaunch,
  mayAsk: () => boolean,
): HttpAuthorizer | undefined {
  return signIns?.authorizerFor(config, launch, {
    mayAsk,
    log: (text) => output.log.info(text),
    addSecrets: (secrets) => output.addSecrets(secrets),
  });
}

/**
 * Opens the session of one run.
 * @param mayAsk whether a person can answer questions
 */
export function openSession(
  services: ConnectionServices,
  connection: {
    readonly config: ServerConfig;
    readonly output: ServerOutput;
    readonly tap: MessageTap;
  },
  launch: ResolvedLaunch,
  { memory, signal }: Pick<Run, 'memory' | 'signal'>,
  mayAsk: () => boolean,
): Promise<Session> {
  const { config, output, tap } = connection;
  return services.connector().connect({
    launch,
    entry: config,
    features: services.features(config),
    authorizer: authorizerOf(services, connection, launch, mayAsk),
    timeouts: config.timeouts,
    memory,
    tap,
    onDiagnostic: (diagnostic) => output.diagnostic(diagnostic),
    signal,
  });
}

/** The server's lists. The client that is loaded with the first server reads them. */
export function createCatalog(
  { connector, memory }: Pick<ConnectionServices, 'connector' | 'memory'>,
  { limits }: Pick<ServerConfig, 'limits'>,
  withoutSecrets?: (error: unknown) => unknown,
): Catalog {
  const listAll: Connector['listAll'] = (...list) => connector().listAll(...list);
  return new Catalog({ listAll, maxItems: limits?.listItems, memory, withoutSecrets });
}
