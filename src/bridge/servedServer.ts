/**
 * One server behind the bridge, as its clients' sessions see it: always there, whether or not it runs and whichever
 * connection serves it. Knows what it offered when it last ran. Starts it for a list only if nothing is known of it and
 * no question is needed.
 */
import { settleTools } from '../host/catalog/catalog.ts';
import { hasApp } from '../host/apps/toolUi.ts';
import { raceSignal, settlesWithin } from '../base/async.ts';
import { truncated } from '../base/text.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { ServerConfig } from '../host/config/serverConfig.ts';
import type { ServerConnection } from '../host/servers/connection.ts';
import type { ConnectionState } from '../host/servers/connectionState.ts';
import type { ServerNotice } from '../host/servers/serverOutput.ts';
import { RpcError, rpcCodes } from '../mcp/errors.ts';
import type { Session } from '../mcp/session/session.ts';
import type { ServedParts } from './bridgeParts.ts';
import {
  type BaseListName,
  capabilityOf,
  listCapabilities,
  type ListItems,
} from '../mcp/listItems.ts';
import type { Tool } from '../mcp/types/lists.ts';
import type { LoggingLevel } from '../mcp/types/methods.ts';
import { type Description, entryHash, type Known, type Lists } from './knownServers.ts';

/** How long a client that connects waits for the server's start. Later lists come by notification. */
const startLimitMs = 20_000;

/**
 * The source of the lists: the running server; what it offered last, if a call would start or await it; else none,
 * since it cannot be used.
 */
type Source = 'live' | 'known' | 'none';

interface Watch {
  readonly uri: string;
  /** At the current connection. */
  subscription: Disposable;
}

export class ServedServer implements Disposable {
  /** Also for the sessions of its clients. */
  readonly parts: ServedParts;
  readonly #noticed = new Emitter<ServerNotice>();
  readonly #changed = new Emitter<void>();
  readonly #levels = new Map<object, LoggingLevel>();
  readonly #watches = new Set<Watch>();
  readonly #store = new DisposableStore();
  #connection: ServerConnection;
  #known: Known | undefined;
  #version: string | undefined;
  #source: Source;
  #state: ConnectionState;
  #hadApps = false;
  /** Notifications of the server, and those that its start or stop implies. */
  readonly onDidNotice = this.#noticed.event;
  /** The version, or what is known, may have changed. */
  readonly onDidChange = this.#changed.event;

  constructor(connection: ServerConnection, known: Known | undefined, parts: ServedParts) {
    this.#connection = connection;
    this.#known = known;
    this.parts = parts;
    this.#state = connection.state;
    this.#source = this.#currentSource();
    this.#listen();
  }

  get connection(): ServerConnection {
    return this.#connection;
  }

  get config(): ServerConfig {
    return this.#connection.config;
  }

  get known(): Known | undefined {
    return this.#known;
  }

  /** Of the entry alone: clients hear of other lists when they connect, and by notification. */
  get version(): string {
    this.#version ??= entryHash(this.config).slice(0, 16);
    return this.#version;
  }

  isToolOn(tool: string): boolean {
    return this.parts.isToolOn(this.#connection.id, tool);
  }

  /** Whether the server may have MCP apps at all. */
  get showsApps(): boolean {
    return this.config.apps && this.parts.showsApps();
  }

  /** What of the list clients get may have changed: connected ones ask for it again. */
  select(kind: 'tools' | 'prompts'): void {
    this.#noticed.fire({ kind });
  }

  /** The entry has changed: another connection serves it from now on. */
  replace(connection: ServerConnection): void {
    if (connection === this.#connection) {
      return;
    }
    this.#release();
    this.#connection = connection;
    this.#known = undefined;
    this.#version = undefined;
    for (const watch of this.#watches) {
      watch.subscription.dispose();
      watch.subscription = connection.resources.watch(watch.uri);
    }
    for (const [listener, level] of this.#levels) {
      connection.setLogLevel(level, listener);
    }
    this.#listen();
    this.#onState();
    this.#changed.fire();
  }

  /** The description for a client that connects; undefined while the server is unknown. */
  async describe(signal: AbortSignal): Promise<Description | undefined> {
    await this.#settle(signal);
    const { state } = this.#connection;
    return state.kind === 'ready' ? describe(state) : this.#known?.description;
  }

  /**
   * A whole list from memory, or undefined when the server itself has to be asked. Tools are always those that approvals
   * see: a server could tell a client of others.
   * @throws McpError why the server's tools are not known
   */
  async remembered(
    list: BaseListName,
    signal: AbortSignal,
  ): Promise<readonly unknown[] | undefined> {
    await this.#settle(signal);
    switch (this.#currentSource()) {
      case 'live':
        if (list !== 'tools') {
          return undefined;
        }
        // Clients hear of what that changes.
        this.#connection.catalog.renew();
        return this.#listedTools(signal);
      case 'known':
        return this.#known?.lists[list];
      case 'none':
        return none[list];
    }
  }

  /**
   * Runs `use` with the server's session. Starts an on-demand server; with `isAsked` it may ask the user for consent.
   * @throws McpError when it does not run; what `use` throws
   */
  use<T>(
    use: (session: Session, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    isAsked: boolean,
  ): Promise<T> {
    return this.#connection.withSession(use, signal, isAsked);
  }

  /** Whether one of its tools has an app (MCP Apps), or had: a client may still draw it. */
  get hadApps(): boolean {
    return this.#hadApps;
  }

  /** The tool as the server lists it, for a call. @throws RpcError -32602 when it lists none of this name */
  async tool(name: string, signal: AbortSignal): Promise<Tool> {
    await this.use(async () => undefined, signal, true);
    await settleTools([this.#connection], signal);
    const tool = (await this.#listedTools(signal)).find((one) => one.name === name);
    if (tool === undefined) {
      throw new RpcError(rpcCodes.invalidParams, `Unknown tool: "${truncated(name, 100)}"`);
    }
    return tool;
  }

  /** As the catalog has them, which every change of them reaches before clients hear of it. */
  async #listedTools(signal: AbortSignal): Promise<readonly Tool[]> {
    const { catalog } = this.#connection;
    await raceSignal(catalog.whenLoaded('tools'), signal);
    const state = catalog.list('tools');
    if (state.kind === 'failed') {
      throw state.error;
    }
    return state.kind === 'ready' ? state.items : [];
  }

  /** Watches a resource for one client, whichever connection serves it. @throws the server's error when it refuses */
  async watch(uri: string): Promise<Disposable> {
    const { resources } = this.#connection;
    const watch: Watch = { uri, subscription: resources.watch(uri) };
    this.#watches.add(watch);
    const end = (): void => {
      this.#watches.delete(watch);
      watch.subscription.dispose();
    };
    try {
      await resources.whenWatched();
    } catch (error) {
      end();
      throw error;
    }
    return { dispose: end };
  }

  /** @param level undefined when the listener has gone */
  setLogLevel(level: LoggingLevel | undefined, listener: object): void {
    if (level === undefined) {
      this.#levels.delete(listener);
    } else {
      this.#levels.set(listener, level);
    }
    this.#connection.setLogLevel(level, listener);
  }

  dispose(): void {
    this.#release();
    for (const { subscription } of this.#watches) {
      subscription.dispose();
    }
    this.#levels.clear();
    this.#store.dispose();
    this.#noticed.dispose();
    this.#changed.dispose();
  }

  #release(): void {
    this.#store.clear();
    for (const listener of this.#levels.keys()) {
      this.#connection.setLogLevel(undefined, listener);
    }
  }

  #listen(): void {
    const { connection } = this;
    this.#store.add(connection.onDidChangeState(() => this.#onState()));
    let before = connection.catalog.list('tools');
    this.#store.add(
      connection.catalog.onDidChange((kind) => {
        this.#learn();
        const now = connection.catalog.list('tools');
        // Who asks for tools during the first fetch waits for it.
        const isChanged = before.kind === 'ready' || before.kind === 'failed';
        if (kind === 'tools' && now.kind === 'ready' && isChanged) {
          this.#noticed.fire({ kind });
        }
        before = now;
      }),
    );
    this.#store.add(
      connection.onDidNotice((notice) => {
        if (notice.kind !== 'tools') {
          this.#noticed.fire(notice);
        }
      }),
    );
    this.#learn();
  }

  #onState(): void {
    const { state } = this.#connection;
    const [before, sourceBefore] = [this.#state, this.#source];
    this.#state = state;
    this.#source = this.#currentSource();
    this.#learn();
    const isNew =
      state.kind === 'ready' && (before.kind !== 'ready' || before.server !== state.server);
    const isGone = this.#source === 'none' && sourceBefore !== 'none';
    if (!isNew && !isGone) {
      return;
    }
    for (const kind of listCapabilities) {
      this.#noticed.fire({ kind });
    }
    if (isNew) {
      for (const uri of new Set([...this.#watches].map((watch) => watch.uri))) {
        this.#noticed.fire({ kind: 'resource', uri });
      }
    }
  }

  /** Lists that are still loading keep their last value. */
  #learn(): void {
    const { state, catalog } = this.#connection;
    if (state.kind !== 'ready') {
      return;
    }
    this.#hadApps ||= catalog.items('tools').some(hasApp);
    const { capabilities } = state.server;
    const listOf = <L extends BaseListName>(
      list: L,
      before: readonly ListItems[L][] = [],
    ): readonly ListItems[L][] => {
      const current = catalog.list(list);
      const items = current.kind === 'ready' ? current.items : before;
      return capabilities[capabilityOf(list)] === undefined ? [] : items;
    };
    const before = this.#known?.lists;
    this.#known = {
      description: describe(state),
      lists: {
        tools: listOf('tools', before?.tools),
        prompts: listOf('prompts', before?.prompts),
        resources: listOf('resources', before?.resources),
        resourceTemplates: listOf('resourceTemplates', before?.resourceTemplates),
      },
    };
    this.#changed.fire();
  }

  #currentSource(): Source {
    const { state, config } = this.#connection;
    switch (state.kind) {
      case 'ready':
        return 'live';
      case 'starting':
      case 'waiting':
        return this.#known === undefined ? 'none' : 'known';
      case 'stopping':
      case 'stopped':
        return this.#known !== undefined && isStartedByUse(config, state) ? 'known' : 'none';
      case 'failed':
        return 'none';
    }
  }

  /** Waits for a running start. Starts the server if nothing is known of it. Rejects only on abort. */
  async #settle(signal: AbortSignal): Promise<void> {
    if (this.#known !== undefined) {
      return;
    }
    await raceSignal(this.#connection.whenReadinessKnown(), signal);
    const { state, config, id } = this.#connection;
    if (state.kind === 'starting' || (state.kind === 'stopped' && isStartedByUse(config, state))) {
      // The state and the log tell why a start failed.
      await raceSignal(settlesWithin(this.parts.host.startUnasked(id), startLimitMs), signal);
    }
  }
}

const none: Lists = { tools: [], prompts: [], resources: [], resourceTemplates: [] };

function describe({ server }: Extract<ConnectionState, { kind: 'ready' }>): Description {
  const { info, capabilities, instructions } = server;
  return { info, capabilities, ...(instructions === undefined ? {} : { instructions }) };
}

/** A call of a tool would start the server, if the user allows it. */
function isStartedByUse(
  { startup }: ServerConfig,
  { because }: Extract<ConnectionState, { kind: 'stopped' | 'stopping' }>,
): boolean {
  return (
    startup === 'onDemand' &&
    (because === undefined ||
      because === 'consentNeeded' ||
      because === 'inputNeeded' ||
      because === 'signInNeeded')
  );
}
