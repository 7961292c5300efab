/**
 * The set of connections: it equals the configuration. Disabled and hidden entries have a connection that does not run,
 * so that they can be shown. connection.ts starts a server.
 */
import { type ServerLogs, ServerOutput } from './serverOutput.ts';
import type { Workspace } from '../config/workspace.ts';
import { settlesWithin } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { stableStringify } from '../../base/json.ts';
import { readOrigin } from '../requestOrigin.ts';
import type { Log } from '../../base/log.ts';
import {
  type HostConfig,
  scopeKey,
  type ServerConfig,
  type ServerId,
} from '../config/serverConfig.ts';
import type { Question, QuestionQueue } from '../questions/questionQueue.ts';
import type { SignIns } from '../signIn/signIns.ts';
import { ServerConnection } from './connection.ts';
import type { Authorizers, ConnectionServices } from './connectionServices.ts';
import { blockOf } from './connectionTexts.ts';
import { Disruptions } from './disruptions.ts';
import type { StoppedBecause } from '../launch/launchGate.ts';
import { budgetOf, ServerMemory } from './serverMemory.ts';
import type { ConnectionState, WaitsFor } from './connectionState.ts';

export interface HostServices extends Pick<
  ConnectionServices,
  'roots' | 'features' | 'gate' | 'connector' | 'clock'
> {
  readonly workspace: Workspace;
  /** Signs in to servers; absent: nobody does. */
  readonly signIns?: Authorizers & Pick<SignIns, 'onDidNeedSignIn' | 'isWaiting' | 'onDidChange'>;
  /** Those that starts ask, for their states; absent: they ask none. */
  readonly questions?: Pick<QuestionQueue, 'open' | 'onDidChange'>;
  /** For all servers; absent: a new one. */
  readonly serverMemory?: ServerMemory;
  readonly logs: ServerLogs;
  readonly log: Log;
}

interface Entry {
  readonly connection: ServerConnection;
  /** Of everything that the settings say of the server. */
  readonly fingerprint: string;
  readonly store: DisposableStore;
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
  #inputs: HostConfig['inputs'] = new Map();
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
    const { signIns, questions } = services;
    const noteWaits = (): void => {
      for (const { connection } of this.#entries.values()) {
        connection.noteWait(this.#waitOf(connection.id));
      }
    };
    if (signIns !== undefined) {
      this.#store.add(signIns.onDidNeedSignIn((id) => this.#onSignInNeeded(id)));
      this.#store.add(signIns.onDidChange(noteWaits));
    }
    if (questions !== undefined) {
      this.#store.add(questions.onDidChange(noteWaits));
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
        this.#remove(id);
        this.#services.logs.close(id);
      }
    }
    const changed: (() => void)[] = [];
    const servers = new Map<ServerId, ServerConnection>();
    for (const server of wanted.values()) {
      const entry = this.#entries.get(server.id);
      const isSame = entry?.fingerprint === stableStringify(server);
      const state = entry?.connection.state ?? { kind: 'stopped' };
      const wasWanted = state.kind !== 'stopped' && state.kind !== 'stopping';
      if (!isSame) {
        this.#remove(server.id);
      }
      const connection = isSame ? entry.connection : this.#add(server);
      servers.set(server.id, connection);
      if (!isSame || (mayLackInput(state) && this.#hasOtherInputs(server, config))) {
        changed.push(() => this.#settle(connection, wasWanted || server.startup === 'auto'));
      }
    }
    this.#inputs = config.inputs;
    const isSame = [...servers.keys()].join('\n') === [...this.#servers.keys()].join('\n');
    this.#servers = servers;
    changed.forEach((settle) => settle());
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
    const running = this.servers.get(id)?.inFlight()?.running() ?? [];
    return [...running].some(
      ({ origin, startedAt }) => startedAt >= earliest && readOrigin(origin)?.kind === 'user',
    );
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
    const ended = this.stopAll();
    this.dispose();
    await settlesWithin(ended, limitMs);
  }

  dispose(): void {
    for (const id of this.#entries.keys()) {
      this.#remove(id);
    }
    this.#servers = new Map();
    this.#store.dispose();
  }

  #hasOtherInputs({ scope }: ServerConfig, { inputs }: HostConfig): boolean {
    const key = scopeKey(scope);
    return stableStringify(inputs.get(key)) !== stableStringify(this.#inputs.get(key));
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
        after: this.#leaving.get(server.id),
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

  #remove(id: ServerId): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      return;
    }
    this.#entries.delete(id);
    const ended = entry.connection.stop();
    this.#leaving.set(id, ended);
    void ended.finally(() => {
      if (this.#leaving.get(id) === ended) {
        this.#leaving.delete(id);
      }
    });
    entry.store.dispose();
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
      this.#settle(connection, connection.config.startup === 'auto');
    }
  }

  /** Starts a connection that may run and is due; the state of one that may not says why. */
  #settle(connection: ServerConnection, isDue: boolean): void {
    const because = this.#blockOf(connection.config);
    const { state } = connection;
    if (because !== undefined || (state.kind === 'stopped' && state.because !== undefined)) {
      void connection.stop(because);
    }
    if (isDue && because === undefined) {
      connection.startUnasked().catch((error: unknown) => {
        this.#services.log.debug(`${connection.config.name} was not started: ${String(error)}`);
      });
    }
  }

  /** What the start of a server needs from the user: an answer to a question of ours, or a sign-in. */
  #waitOf(id: ServerId): WaitsFor | undefined {
    const { signIns, questions } = this.#services;
    if (signIns?.isWaiting(id) === true) {
      return 'signIn';
    }
    return questions?.open
      .filter(({ serverId, holdsUp }) => serverId === id && holdsUp === true)
      .map(({ about }) => waits[about])
      .find((wait) => wait !== undefined);
  }

  #blockOf(server: ServerConfig): StoppedBecause | undefined {
    return blockOf(server, this.#services.workspace.isTrusted);
  }
}

function mayLackInput(state: ConnectionState): boolean {
  return state.kind === 'failed'
    ? state.error.code === 'invalidConfig'
    : state.kind === 'stopped' && state.because === 'inputNeeded';
}

const waits: Readonly<Partial<Record<Question['about'], WaitsFor>>> = {
  start: 'consent',
  input: 'input',
  signIn: 'signIn',
};
