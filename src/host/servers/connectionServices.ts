/** What a connection needs of its host. */
import type { Connector } from './connector.ts';
import type { LaunchGate, ResolvedLaunch } from '../launch/launchGate.ts';
import type { RootsSource } from '../roots/workspaceRoots.ts';
import { skillsExtension } from '../../mcp/extensions.ts';
import type { MessageTap } from '../../mcp/messageTap.ts';
import type { ClientFeatures, Session } from '../../mcp/session/session.ts';
import { Catalog } from '../catalog/catalog.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { MemoryAccount } from '../../base/memory.ts';
import type { SignIns } from '../signIn/signIns.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disruptions } from './disruptions.ts';
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
  /** The end of an earlier connection of this id: a new process may need its port or lock. */
  readonly after?: Promise<void> | undefined;
}

/**
 * Opens the session of one run.
 * @param mayAsk whether a person can answer questions about signing in
 */
export function openSession(
  { connector, features, signIns }: Pick<ConnectionServices, 'connector' | 'features' | 'signIns'>,
  {
    config,
    output,
    tap,
  }: { readonly config: ServerConfig; readonly output: ServerOutput; readonly tap?: MessageTap },
  launch: ResolvedLaunch,
  { memory, signal }: { readonly memory: MemoryAccount; readonly signal: AbortSignal },
  mayAsk: () => boolean,
): Promise<Session> {
  return connector().connect({
    launch,
    entry: config,
    features: features(config),
    authorizer: signIns?.authorizerFor(config, launch, {
      mayAsk,
      log: (text) => output.log.info(text),
      addSecrets: (secrets) => output.addSecrets(secrets),
    }),
    timeouts: config.timeouts,
    memory,
    ...(tap && { tap }),
    onDiagnostic: (diagnostic) => output.diagnostic(diagnostic),
    signal,
  });
}

/** The server's lists. The client that is loaded with the first server reads them. */
export function createCatalog(
  {
    connector,
    memory,
    features,
  }: Pick<ConnectionServices, 'connector' | 'memory'> &
    Partial<Pick<ConnectionServices, 'features'>>,
  config: ServerConfig,
  withoutSecrets?: (error: unknown) => unknown,
): Catalog {
  const listAll: Connector['listAll'] = (...list) => connector().listAll(...list);
  return new Catalog({
    listAll,
    maxItems: config.limits?.listItems,
    memory,
    withoutSecrets,
    ...(features && {
      wantsSkills: () => features(config).extensions?.[skillsExtension] !== undefined,
    }),
  });
}
