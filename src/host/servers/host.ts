/**
 * The set of connections: it equals the configuration. Disabled and hidden entries have a connection that does not run,
 * so that they can be shown. connection.ts starts a server.
 */
import type { Connector } from './connector.ts';
import type { RootsSource } from '../roots/workspaceRoots.ts';
import { type ServerLogs, ServerOutput } from './serverOutput.ts';
import type { Workspace } from '../config/workspace.ts';
import { delay } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { stableStringify } from '../../base/json.ts';
import { readOrigin } from '../requestOrigin.ts';
import type { Log } from '../../base/log.ts';
import type { ClientFeatures } from '../../mcp/session/session.ts';
import type { HostConfig, ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { SignIns } from '../signIn/signIns.ts';
import type { Clock } from '../../base/clock.ts';
import { ServerConnection } from './connection.ts';
import type { Authorizers } from './connectionServices.ts';
import { Disruptions } from './disruptions.ts';
import type { LaunchGate, StoppedBecause } from '../launch/launchGate.ts';
import { budgetOf, ServerMemory } from './serverMemory.ts';
import type { UserWaits } from './userWaits.ts';

export interface HostServices {
  readonly workspace: Workspace;
  readonly roots: RootsSource;
  /** Signs in to servers; absent: nobody does. */
  readonly signIns?: Authorizers & Pick<SignIns, 'onDidNeedSignIn'>;
  /** What starts need from the user, for their states. */
  readonly waits?: Pick<UserWaits, 'of' | 'onDidChange'>;
  /** Requests that a server may send to us. */
  readonly features: (server: ServerConfig) => ClientFeatures;
  readonly gate: LaunchGate;
  /** For all servers; absent: a new one. */
  readonly serverMemory?: ServerMemory;
  /** Called on each start, so that the protocol is not loaded before the first. */
  readonly connector: () => Connector;
  readonly logs: ServerLogs;
  readonly log: Log;
  readonly clock: Clock;
}

interface Entry {
  readonly connection: ServerConnection;
  /** Of everything that the settings say of the server. */
  readonly fingerprint: string;
  readonly store: DisposableStore;
}

/** A connection made by {@link McpHost.reconcile}. */
interface Placed {
  readonly connection: ServerConnection;
  readonly isDue: boolean;
  /** Resolves when nothing is left of an earlier connection of this id: the new process may need its port or lock. */
  readonly free: Promise<void>;
}

export class McpHost implements Disposable {
  readonly #services: HostServices;
  readonly #disruptions: Disruptions;
  readonly #memory: ServerMemory;
  readonly #store = new DisposableStore();
  readonly #serversChanged = this.#store.add(new Emitter<void>());
  readonly #serverChanged = this.#store.add(new Emitter<ServerId>());
  readonly #requested = this.#store.add(new Emitter<void>());
  readonly #entries = new Map<ServerId, Entry>();
  /** Connections that left the configuration and have not ended yet. */
  readonly #leaving = new Map<ServerId, Promise<void>>();
  #servers: ReadonlyMap<ServerId, ServerConnection> = new Map();
  /** Fires when the set, the order or an entry of servers has changed. */
  readonly onDidChangeServers = this.#serversChanged.event;
  /** Fires when the state or a list of this server has changed. */
  readonly onDidChangeServer = this.#serverChanged.event;
  /** A request to a server began; see {@link ServerConnection.inFlight}. */
  readonly onDidRequest = this.#requested.event;

  constructor(services: HostServices) {
    this.#services = services;
    this.#disruptions = new Disruptions(services.clock);
    this.#memory = services.serverMemory ?? new ServerMemory();
    this.#store.add(services.workspace.onDidGrantTrust(() => this.#onTrusted()));
    const { signIns, waits } = services;
    if (signIns !== undefined) {
      this.#store.add(signIns.onDidNeedSignIn((id) => this.#onSignInNeeded(id)));
    }
    if (waits !== undefined) {
      this.#store.add(
        waits.onDidChange(() => {
          for (const { connection } of this.#entries.values()) {
            connection.noteWait(waits.of(connection.id));
          }
        }),
      );
    }
  }

  /** In the order of the configuration. */
  get servers(): ReadonlyMap<ServerId, ServerConnection> {
    return this.#servers;
  }

  /** Makes the set of connections equal to `config`; servers with an unchanged entry keep running. */
  reconcile(config: HostConfig): void {
    const wanted = new Map(config.servers.map((server) => [server.id, server]));
    for (const id of this.#entries.keys()) {
      if (!wanted.has(id)) {
        void this.#remove(id);
        this.#services.logs.close(id);
      }
    }
    const changed: Placed[] = [];
    const servers = new Map<ServerId, ServerConnection>();
    for (const server of wanted.values()) {
      const entry = this.#entries.get(server.id);
      if (entry?.fingerprint === stableStringify(server)) {
        servers.set(server.id, entry.connection);
      } else {
        const placed = this.#place(entry, server);
        servers.set(server.id, placed.connection);
        changed.push(placed);
      }
    }
    const isSame = [...servers.keys()].join('\n') === [...this.#servers.keys()].join('\n');
    this.#servers = servers;
    for (const { connection, isDue, free } of changed) {
      this.#settleBlock(connection);
      void free.then(() => this.#startIfDue(connection, isDue));
    }
    if (!isSame || changed.length > 0) {
      this.#serversChanged.fire();
    }
  }

  /**
   * Starts a server if that needs no question to the user; otherwise its state says what is missing. Returns whether it
   * runs. @throws McpError what the start failed with
   */
  async startUnasked(id: ServerId): Promise<boolean> {
    const connection = this.#servers.get(id);
    if (connection === undefined || this.#blockOf(connection.config) !== undefined) {
      return false;
    }
    await connection.startUnasked();
    return connection.state.kind === 'ready';
  }

  /** Whether a recent request that the user made by hand has no reply yet: requests of the server then belong to it. */
  hasJustAsked(id: ServerId, withinMs: number): boolean {
    const earliest = performance.now() - withinMs;
    for (const { origin, startedAt } of this.servers.get(id)?.inFlight()?.running() ?? []) {
      if (startedAt >= earliest && readOrigin(origin)?.kind === 'user') {
        return true;
      }
    }
    return false;
  }

  /** Stops every server. Never rejects: errors are in the servers' logs. */
  async stopAll(): Promise<void> {
    const stops = [...this.servers.values()].map((connection) => {
      const { state } = connection;
      // A reason not to run stays; the remains of an earlier run are waited for anyway.
      return connection.stop(state.kind === 'stopped' ? state.because : undefined);
    });
    await Promise.allSettled([...stops, ...this.#leaving.values()]);
  }

  /** Ends everything; resolves when that is done, at the latest after `limitMs` milliseconds. */
  async close(limitMs: number): Promise<void> {
    const waiting = new AbortController();
    const ended = this.stopAll();
    this.dispose();
    await Promise.race([ended, delay(limitMs, waiting.signal).catch(() => undefined)]);
    waiting.abort();
  }

  dispose(): void {
    for (const id of this.#entries.keys()) {
      void this.#remove(id);
    }
    this.#servers = new Map();
    this.#store.dispose();
  }

  #add(server: ServerConfig): ServerConnection {
    const { workspace, logs, clock } = this.#services;
    const store = new DisposableStore();
    const memory = store.add(this.#memory.open(budgetOf(server.limits)));
    const connection = new ServerConnection(
      server,
      {
        ...this.#services,
        isTrusted: () => workspace.isTrusted,
        memory,
        disruptions: this.#disruptions,
      },
      new ServerOutput(logs.open(server), clock, server.limits?.logsPerSecond),
    );
    store.add(connection);
    const changed = (): void => this.#serverChanged.fire(server.id);
    store.add(connection.onDidChangeState(changed));
    store.add(
      connection.onDidChangeState(() => {
        connection.inFlight()?.watch(() => this.#requested.fire());
      }),
    );
    store.add(connection.catalog.onDidChange(changed));
    this.#entries.set(server.id, { connection, store, fingerprint: stableStringify(server) });
    return connection;
  }

  #remove(id: ServerId): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      return Promise.resolve();
    }
    this.#entries.delete(id);
    const ended = this.#finish(id, entry.connection);
    entry.store.dispose();
    this.#leaving.set(id, ended);
    return ended;
  }

  async #finish(id: ServerId, connection: ServerConnection): Promise<void> {
    const before = this.#leaving.get(id);
    const stopped = connection.stop();
    await before;
    await stopped.catch((error: unknown) =>
      this.#services.log.warn(`${connection.config.name} did not end: ${String(error)}`),
    );
    if (!this.#entries.has(id)) {
      this.#leaving.delete(id);
    }
  }

  /** A connection for a new or changed entry, not yet started. */
  #place(previous: Entry | undefined, server: ServerConfig): Placed {
    const kind = previous?.connection.state.kind ?? 'stopped';
    const wasWanted = kind !== 'stopped' && kind !== 'stopping';
    const left = previous === undefined ? this.#leaving.get(server.id) : this.#remove(server.id);
    return {
      connection: this.#add(server),
      isDue: wasWanted || server.startup === 'auto',
      free: left ?? Promise.resolve(),
    };
  }

  /** Stops a running server: without a token, all its requests fail. */
  #onSignInNeeded(id: ServerId): void {
    const connection = this.#servers.get(id);
    if (connection?.state.kind === 'ready') {
      void connection.stop('signInNeeded');
    }
  }

  #onTrusted(): void {
    for (const { connection } of this.#entries.values()) {
      this.#settleBlock(connection);
      this.#startIfDue(connection, connection.config.startup === 'auto');
    }
  }

  /** Sets the reason in the state of a connection that does not run. */
  #settleBlock(connection: ServerConnection): void {
    const because = this.#blockOf(connection.config);
    const { state } = connection;
    if (because !== undefined || (state.kind === 'stopped' && state.because !== undefined)) {
      void connection.stop(because);
    }
  }

  #startIfDue(connection: ServerConnection, isDue: boolean): void {
    const isFree = this.#isCurrent(connection) && this.#blockOf(connection.config) === undefined;
    if (isDue && isFree) {
      connection.startUnasked().catch((error: unknown) => {
        this.#services.log.debug(`${connection.config.name} was not started: ${String(error)}`);
      });
    }
  }

  #isCurrent(connection: ServerConnection): boolean {
    return this.#entries.get(connection.id)?.connection === connection;
  }

  #blockOf(server: ServerConfig): StoppedBecause | undefined {
    if (server.hiddenBy !== undefined) {
      return 'hidden';
    }
    if (!server.isEnabled) {
      return 'disabled';
    }
    if (server.forbiddenBy !== undefined) {
      return 'forbidden';
    }
    return this.#services.workspace.isTrusted ? undefined : 'restricted';
  }
}
