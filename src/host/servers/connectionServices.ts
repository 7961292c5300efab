/** What a connection needs of the host that it belongs to. */
import type { Connector } from './connector.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import type { RootsSource } from '../roots/rootsSource.ts';
import type { MessageTap } from '../../mcp/messageTap.ts';
import type { ClientFeatures, Session } from '../../mcp/session/session.ts';
import { Catalog } from '../catalog/catalog.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { HttpAuthorizer } from '../../mcp/httpAuthorizer.ts';
import type { SignIns } from '../signIn/signIns.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disruptions } from './disruptions.ts';
import type { LaunchGate } from '../launch/prepareLaunch.ts';
import type { Run } from './run.ts';
import type { ServerAccount } from './serverMemory.ts';
import type { ServerOutput } from './serverOutput.ts';

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
  /** All that is held of the server's data. */
  readonly memory: ServerAccount;
  /** What the server may ask of us. */
  readonly features: (server: ServerConfig) => ClientFeatures;
  readonly clock: Clock;
  /** Of the machine: one for all connections. */
  readonly disruptions: Disruptions;
}

/**
 * Who signs the requests of one start in. What happens is in the server's log.
 * @param mayAsk whether somebody is there to answer questions
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
 * Opens the conversation of one run.
 * @param mayAsk whether somebody is there to answer questions
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

/** What the server offers. Its lists are read by the client that is loaded with the first server. */
export function createCatalog(
  { connector, memory }: Pick<ConnectionServices, 'connector' | 'memory'>,
  { limits }: Pick<ServerConfig, 'limits'>,
  withoutSecrets?: (error: unknown) => unknown,
): Catalog {
  const listAll: Connector['listAll'] = (...list) => connector().listAll(...list);
  return new Catalog({ listAll, maxItems: limits?.listItems, memory, withoutSecrets });
}
