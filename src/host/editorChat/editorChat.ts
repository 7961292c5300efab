/**
 * Offers the servers to the editor's own chat: which ones, under which names, and whether the editor uses them. The
 * bridge serves them, and is loaded with the first server to offer.
 *
 * When a definition changes, the editor ends its session with the server, including its calls, so definitions change only
 * when necessary: the bridge keeps a version while a client is connected.
 */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import type { BridgeSettings } from '../config/userSettings.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { Clock } from '../../base/clock.ts';
import type { DrawnCalls } from './drawnCalls.ts';
import { blockingSetting, type EditorAccess, suspectSetting } from './editorAccess.ts';

/** How a client reaches one server. Valid until the bridge closes; port, path and token change with each run. */
export interface BridgeEndpoint {
  readonly server: ServerId;
  /** The server's configured name. */
  readonly label: string;
  /** The name by which the server introduces itself to clients. The editor makes the ids of its tools from it. */
  readonly introducedAs: string;
  /** `http://127.0.0.1:<port>/<path that cannot be guessed>` */
  readonly url: string;
  /** `Authorization: Bearer <token>`. A secret: only for the editor, never logged, never kept. */
  readonly headers: Readonly<Record<string, string>>;
  /** Changes with the server's entry. It stays while a client is connected: VS Code would end the connection. */
  readonly version: string;
  /** The server's lists are known, so a client that connects does not start it. */
  readonly isKnown: boolean;
  /** A client is connected to it. */
  readonly isInUse: boolean;
}

export type Definition = Omit<BridgeEndpoint, 'introducedAs' | 'isInUse' | 'isKnown'>;

/** The editor's side. */
export interface EditorMcp {
  /** False for an editor whose API has no MCP servers. */
  readonly takesServers: boolean;
  access(): EditorAccess;
  readonly onDidChangeAccess: Event<void>;
  /** False where the user wants no server to be started automatically. */
  mayStart(): boolean;
  /** Asks the editor to connect to the server of this definition. The editor does not report whether it does. */
  start(label: string): Promise<void>;
}

/** The part of the bridge that is needed here. */
export interface ServingBridge {
  start(): Promise<void>;
  /** In the order of the configuration. */
  readonly endpoints: readonly BridgeEndpoint[];
  endpoint(id: ServerId): BridgeEndpoint | undefined;
  readonly onDidChange: Event<void>;
  readonly drawnCalls: DrawnCalls;
}

export interface EditorChatServices {
  /** The part of the host that is needed here. */
  readonly host: {
    readonly servers: ReadonlyMap<ServerId, { readonly config: ServerConfig }>;
    readonly onDidChangeServers: Event<void>;
  };
  readonly settings: () => BridgeSettings;
  readonly isTrusted: () => boolean;
  /** Called when there is a first server to offer. */
  readonly bridge: () => ServingBridge;
  readonly editor: EditorMcp;
  readonly clock: Clock;
  readonly log: Log;
}

/** The state of a server in the editor's chat. */
export type Offer =
  /** Nobody can use it: it is off, hidden or restricted. */
  | { readonly kind: 'none' }
  /** The user has switched it off: for all servers, or for this one. */
  | { readonly kind: 'off'; readonly by: 'setting' | 'entry' }
  /** The editor takes no servers from extensions. */
  | { readonly kind: 'unsupported' }
  /** A setting of the editor forbids it. */
  | { readonly kind: 'blocked'; readonly setting: string }
  /** The editor was notified and has not connected yet. */
  | { readonly kind: 'waiting' }
  /** The server is started on demand and has not run here: a connection of the editor would start it. */
  | { readonly kind: 'untilNeeded' }
  | { readonly kind: 'inUse'; readonly label: string }
  /** The editor has not connected, or has disconnected. `suspect`: the setting that may be the reason. */
  | { readonly kind: 'notStarted'; readonly label: string; readonly suspect?: string };

/**
 * Milliseconds between requests to the editor, which ignores one for a definition that it does not know. After a reload it
 * knows them at once, otherwise half a second after it has read them, or later while it starts.
 */
const askDelaysMs: readonly number[] = [
  50, 100, 150, 210, 40, 100, 250, 500, 1_500, 3_000, 6_000, 12_000, 20_000,
];

interface Asking {
  timer?: Disposable;
  /** How often the editor was asked. */
  count: number;
  /** It has connected before: if it was stopped since, that was intended. */
  hasCome: boolean;
}

export class EditorChat implements Disposable {
  readonly #services: EditorChatServices;
  readonly #store = new DisposableStore();
  readonly #definitionsChanged = this.#store.add(new Emitter<void>());
  readonly #offersChanged = this.#store.add(new Emitter<void>());
  readonly #publishedChanged = this.#store.add(new Emitter<void>());
  readonly #asking = new Map<ServerId, Asking>();
  #bridge: ServingBridge | undefined;
  /** The editor reads the definitions by itself, soon after it can. */
  #hasRead = false;
  /** The definitions that the editor was told. */
  #told: readonly Definition[] = [];
  #toldOffers: string | undefined;
  /** Fires when {@link definitions} has changed. */
  readonly onDidChangeDefinitions = this.#definitionsChanged.event;
  /** Fires when {@link offer} has changed. */
  readonly onDidChangeOffers = this.#offersChanged.event;
  /** Fires when {@link isPublished} has changed. */
  readonly onDidChangePublished = this.#publishedChanged.event;

  constructor(services: EditorChatServices) {
    this.#services = services;
    this.#store.add(services.host.onDidChangeServers(() => this.#onServers()));
    this.#store.add(services.editor.onDidChangeAccess(() => this.#onAccess()));
  }

  /** Undefined until there was a server to offer. */
  get bridge(): ServingBridge | undefined {
    return this.#bridge;
  }

  isPublished(server: ServerConfig): boolean {
    return this.#services.settings().isEnabled && server.bridge && this.#isUsable(server);
  }

  /** The settings of this extension, or workspace trust, have changed. */
  refresh(): void {
    this.#publishedChanged.fire();
    this.#onServers();
    this.#tellOffers();
  }

  /** Opens the bridge when there is something to offer. Never rejects: errors are in the log. */
  async definitions(): Promise<readonly Definition[]> {
    this.#hasRead = true;
    const hasAny = [...this.#services.host.servers.values()].some(({ config }) =>
      this.isPublished(config),
    );
    if (this.#bridge === undefined && !hasAny) {
      return [];
    }
    try {
      const bridge = this.#open();
      await bridge.start();
      this.#update(bridge);
    } catch (error) {
      this.#services.log.error(
        `Could not offer the servers to the editor's chat: ${String(error)}`,
      );
      return [];
    }
    this.#askAll();
    return this.#told;
  }

  offer(server: ServerConfig): Offer {
    if (!this.#isUsable(server)) {
      return { kind: 'none' };
    }
    if (!this.#services.settings().isEnabled || !server.bridge) {
      return { kind: 'off', by: server.bridge ? 'setting' : 'entry' };
    }
    if (!this.#services.editor.takesServers) {
      return { kind: 'unsupported' };
    }
    const definition = this.#told.find((told) => told.server === server.id);
    const label = definition?.label ?? server.name;
    if (this.#isInUse(server.id)) {
      return { kind: 'inUse', label };
    }
    const setting = blockingSetting(this.#services.editor.access(), label);
    if (setting !== undefined) {
      return { kind: 'blocked', setting };
    }
    return definition === undefined ? { kind: 'waiting' } : this.#offerOf(definition);
  }

  dispose(): void {
    for (const { timer } of this.#asking.values()) {
      timer?.dispose();
    }
    this.#asking.clear();
    this.#store.dispose();
  }

  /** For a server that the editor knows and is not connected to. */
  #offerOf({ server, label }: Definition): Offer {
    const asking = this.#asking.get(server);
    if (asking === undefined && this.#isUntilNeeded(server)) {
      return { kind: 'untilNeeded' };
    }
    if (asking?.timer !== undefined) {
      return { kind: 'waiting' };
    }
    const suspect =
      asking?.hasCome === true ? undefined : suspectSetting(this.#services.editor.access());
    return { kind: 'notStarted', label, ...(suspect === undefined ? {} : { suspect }) };
  }

  /** Only when something has changed, since views redraw. */
  #tellOffers(): void {
    const servers = [...this.#services.host.servers.values()];
    const offers = JSON.stringify(servers.map(({ config }) => [config.id, this.offer(config)]));
    if (offers !== this.#toldOffers) {
      this.#toldOffers = offers;
      this.#offersChanged.fire();
    }
  }

  #isUsable({ isEnabled, hiddenBy, forbiddenBy }: ServerConfig): boolean {
    return (
      isEnabled && hiddenBy === undefined && forbiddenBy === undefined && this.#services.isTrusted()
    );
  }

  #isInUse(id: ServerId): boolean {
    return this.#bridge?.endpoint(id)?.isInUse === true;
  }

  #open(): ServingBridge {
    if (this.#bridge === undefined) {
      this.#bridge = this.#services.bridge();
      this.#store.add(this.#bridge.onDidChange(() => this.#onBridge()));
    }
    return this.#bridge;
  }

  /** Before there is a bridge, a request of the editor opens it; afterwards the bridge reports changes. */
  #onServers(): void {
    if (this.#bridge === undefined && this.#hasRead) {
      this.#definitionsChanged.fire();
    }
  }

  #onBridge(): void {
    for (const [id, asking] of this.#asking) {
      if (this.#isInUse(id)) {
        asking.hasCome = true;
        this.#stopAsking(asking);
      }
      if (this.#bridge?.endpoint(id) === undefined) {
        this.#forget(id);
      }
    }
    this.#askAll();
    // The editor reads changes when it asks, and it may have asked in between.
    if (this.#bridge !== undefined && this.#update(this.#bridge)) {
      this.#definitionsChanged.fire();
    }
    this.#tellOffers();
  }

  /** @returns whether the editor must be notified */
  #update({ endpoints }: ServingBridge): boolean {
    const labels = uniqueLabels(endpoints);
    const told = endpoints.map(({ server, label, url, headers, version }, index) => ({
      server,
      label: labels[index] ?? label,
      url,
      headers,
      version,
    }));
    const before = new Map(this.#told.map(({ server, label }) => [server, label]));
    for (const { server, label } of told) {
      // The editor tells servers apart by their labels: this one is another to it, which nobody has stopped.
      if (before.has(server) && before.get(server) !== label) {
        this.#forget(server);
      }
    }
    const isNew = JSON.stringify(told) !== JSON.stringify(this.#told);
    this.#told = told;
    return isNew;
  }

  #onAccess(): void {
    for (const { server } of this.#told) {
      const asking = this.#asking.get(server);
      if (asking?.timer === undefined && asking?.hasCome !== true) {
        this.#asking.delete(server);
        this.#ask(server);
      }
    }
    this.#tellOffers();
  }

  #isUntilNeeded(id: ServerId): boolean {
    const isKnown = this.#bridge?.endpoint(id)?.isKnown === true;
    return !isKnown && this.#services.host.servers.get(id)?.config.startup === 'onDemand';
  }

  #askAll(): void {
    for (const { server } of this.#told) {
      this.#ask(server);
    }
  }

  /** Asks the editor until it connects, or until the last attempt. */
  #ask(id: ServerId): void {
    const isAsked = this.#asking.has(id) || this.#isUntilNeeded(id);
    if (!isAsked && this.#services.editor.mayStart()) {
      this.#schedule(id, { count: 0, hasCome: false });
    }
  }

  #schedule(id: ServerId, asking: Asking): void {
    this.#asking.set(id, asking);
    const delay = askDelaysMs[asking.count];
    if (delay === undefined) {
      this.#stopAsking(asking);
      this.#tellOffers();
      return;
    }
    asking.timer = this.#services.clock.after(delay, () => {
      asking.count += 1;
      this.#askOnce(id);
      this.#schedule(id, asking);
    });
  }

  #askOnce(id: ServerId): void {
    const { editor, log } = this.#services;
    const definition = this.#told.find(({ server }) => server === id);
    if (definition === undefined || blockingSetting(editor.access(), definition.label)) {
      return;
    }
    editor.start(definition.label).catch((error: unknown) => {
      log.debug(`The editor did not start "${definition.label}": ${String(error)}`);
    });
  }

  #forget(id: ServerId): void {
    this.#asking.get(id)?.timer?.dispose();
    this.#asking.delete(id);
  }

  #stopAsking(asking: Asking): void {
    asking.timer?.dispose();
    delete asking.timer;
  }
}

/** The editor derives a definition's id from its label, and two folders may have servers of the same name. */
function uniqueLabels(served: readonly BridgeEndpoint[]): readonly string[] {
  const taken = new Set<string>();
  return served.map(({ label }) => {
    let unique = label;
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1) {
      unique = `${label} ${number}`;
    }
    taken.add(unique.toLowerCase());
    return unique;
  });
}
