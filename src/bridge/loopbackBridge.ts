/**
 * The bridge: serves the configured servers again, for clients of the same machine such as VS Code's own. One listener
 * on 127.0.0.1, with a path and a token for each published server. Follows the host's set of servers, refuses
 * unauthorized requests, and reports changes of endpoints.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CoalescedRun, toError } from '../base/async.ts';
import { DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { BridgeEndpoint, ServingBridge } from '../host/editorChat/editorChat.ts';
import type { ServerConfig, ServerId } from '../host/config/serverConfig.ts';
import type { ServerConnection } from '../host/servers/connection.ts';
import { listenOnLoopback, silenceLimits } from '../host/silentConnections.ts';
import { McpError } from '../mcp/errors.ts';
import { BearerToken, isForUs, randomWord } from './guard.ts';
import { end, HttpEndpoint } from './httpEndpoint.ts';
import { type Known, KnownServers } from './knownServers.ts';
import { type BridgeParts, ServedServer } from './servedServer.ts';
import { serverNames } from './introduction.ts';

export type { BridgeParts };

/** A burst of changes is reported once: after this much quiet, at the latest after the maximum. */
const changeTimes = { quietMs: 100, maxMs: 1_000 } as const;
const keepTimes = { quietMs: 2_000, maxMs: 20_000 } as const;
/** Limits of one request, besides its body: milliseconds and bytes. */
const limits = {
  ...silenceLimits,
  requestTimeout: 120_000,
  maxHeaderSize: 16 * 1024,
  keepAliveTimeout: 30_000,
} as const;

interface Entry {
  readonly server: ServedServer;
  readonly endpoint: HttpEndpoint;
  readonly path: string;
  readonly token: BearerToken;
  /** Does not change while a client is connected. */
  version: string;
}

export class LoopbackBridge implements ServingBridge {
  readonly #parts: BridgeParts;
  readonly #knownServers: KnownServers;
  readonly #store = new DisposableStore();
  readonly #changed = new Emitter<void>();
  readonly #tell: CoalescedRun;
  readonly #keep: CoalescedRun;
  readonly #entries = new Map<ServerId, Entry>();
  #names: ReadonlyMap<string, string> = new Map();
  #order: readonly ServerId[] = [];
  #told: string | undefined;
  #port = 0;
  #http: Server | undefined;
  #starting: Promise<void> | undefined;
  #isClosed = false;
  /** Fires when the set of endpoints, or the version or use of one, changes. Fires once for a burst of changes. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
    this.#knownServers = new KnownServers(parts.memory);
    this.#tell = this.#store.add(new CoalescedRun(async () => this.#tellChange(), changeTimes));
    this.#keep = this.#store.add(new CoalescedRun(() => this.#keepKnown(), keepTimes));
  }

  /** One for each published server, in the order of the configuration. Empty until started. */
  get endpoints(): readonly BridgeEndpoint[] {
    return this.#order.flatMap((id) => {
      const entry = this.#entries.get(id);
      return entry === undefined ? [] : [this.#describe(id, entry)];
    });
  }

  /** Opens the listener; idempotent. @throws McpError `unreachable` when no port is free */
  start(): Promise<void> {
    this.#starting ??= this.#open().catch((error: unknown) => {
      this.#starting = undefined; // a port may be free the next time
      throw error;
    });
    return this.#starting;
  }

  /** Ends every session and the listener; resolves when no socket is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starting?.catch(() => undefined); // the caller of `start` gets the error
    this.#store.dispose();
    for (const id of this.#entries.keys()) {
      this.#remove(id);
    }
    this.#changed.dispose();
    const http = this.#http;
    this.#http = undefined;
    if (http !== undefined) {
      await new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      });
    }
  }

  async #open(): Promise<void> {
    const http = createServer(limits, (request, response) => this.#take(request, response));
    ({ port: this.#port } = await listenOnLoopback(http).catch((cause: unknown) => {
      const text = `The bridge cannot listen on any port: ${toError(cause).message}`;
      throw new McpError('unreachable', text, { cause });
    }));
    http.on('error', (error) => this.#parts.log.warn(`The bridge: ${error.message}`));
    this.#http = http;
    if (this.#isClosed) {
      return;
    }
    const { host, onDidChangePublished, onDidChangeTools } = this.#parts;
    this.#store.add(host.onDidChangeServers(() => this.#reconcile()));
    this.#store.add(onDidChangePublished(() => this.#reconcile()));
    this.#store.add(
      onDidChangeTools(() => {
        for (const { server } of this.#entries.values()) {
          server.selectTools();
        }
      }),
    );
    this.#reconcile();
    this.#told = this.#summary();
  }

  #reconcile(): void {
    const { host, isPublished } = this.#parts;
    const published = [...host.servers.values()].filter(({ config }) => isPublished(config));
    const wanted = new Map(published.map((connection) => [connection.id, connection]));
    this.#names = serverNames(published.map(({ config }) => config.name));
    this.#order = [...wanted.keys()];
    for (const id of this.#entries.keys()) {
      if (!wanted.has(id)) {
        this.#remove(id);
      }
    }
    for (const [id, connection] of wanted) {
      const entry = this.#entries.get(id);
      if (entry === undefined) {
        this.#add(connection);
      } else {
        entry.server.replace(connection);
      }
    }
    this.#tell.request();
  }

  #add(connection: ServerConnection): void {
    const known = this.#knownServers.get(connection.config);
    const server = new ServedServer(connection, known, this.#parts);
    server.onDidChange(() => {
      this.#tell.request();
      this.#keep.request();
    });
    const endpoint = new HttpEndpoint({
      server,
      name: () => this.#names.get(server.config.name) ?? server.config.name,
      onRelease: () => this.#tell.request(),
    });
    this.#entries.set(connection.id, {
      server,
      endpoint,
      path: `/${randomWord()}`,
      token: new BearerToken(),
      version: server.version,
    });
  }

  #remove(id: ServerId): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.endpoint.dispose();
    entry?.server.dispose();
  }

  /**
   * VS Code ends its connection when the version changes, even in the middle of a call. A connected client hears of
   * changes by notification, and gets the new version after it disconnects.
   */
  #describe(id: ServerId, entry: Entry): BridgeEndpoint {
    const { server, endpoint, path, token } = entry;
    if (!endpoint.isInUse) {
      entry.version = server.version;
    }
    return {
      server: id,
      label: server.config.name,
      url: `http://127.0.0.1:${this.#port}${path}`,
      headers: { Authorization: token.header },
      version: entry.version,
      isKnown: server.known !== undefined,
      isInUse: endpoint.isInUse,
    };
  }

  #tellChange(): void {
    const summary = this.#summary();
    if (summary !== this.#told) {
      this.#told = summary;
      this.#changed.fire();
    }
  }

  #summary(): string {
    return JSON.stringify(
      this.endpoints.map(({ url, version, isKnown, isInUse }) => [url, version, isKnown, isInUse]),
    );
  }

  async #keepKnown(): Promise<void> {
    const known = new Map<ServerConfig, Known>();
    for (const { server } of this.#entries.values()) {
      if (server.known !== undefined) {
        known.set(server.config, server.known);
      }
    }
    await this.#knownServers.keep(known);
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const entry = this.#admit(request);
    if (typeof entry === 'number') {
      // The body of an unauthorized request is not read; the connection ends with the answer.
      response.setHeader('connection', 'close');
      end(response, entry);
      return;
    }
    entry.endpoint.handle(request, response).catch((error: unknown) => {
      this.#parts.log.debug(`A request to the bridge failed: ${String(error)}`);
      response.destroy();
    });
  }

  /** The endpoint that the request may use, or the status that refuses it. */
  #admit(request: IncomingMessage): Entry | 401 | 403 | 404 {
    if (!isForUs(request.headers, this.#port)) {
      return 403;
    }
    const entry = [...this.#entries.values()].find(({ path }) => path === request.url);
    if (entry === undefined) {
      return 404;
    }
    return entry.token.isIn(request.headers) ? entry : 401;
  }
}
