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
import { DrawnCalls } from '../host/editorChat/drawnCalls.ts';
import type { ServerConfig, ServerId } from '../host/config/serverConfig.ts';
import type { ServerConnection } from '../host/servers/connection.ts';
import { listenOnLoopback, silenceLimits } from '../host/silentConnections.ts';
import { McpError } from '../mcp/errors.ts';
import { BearerToken, isForUs, randomWord } from './guard.ts';
import { end, HttpEndpoint } from './httpEndpoint.ts';
import { type Known, KnownServers } from './knownServers.ts';
import type { BridgeParts } from './bridgeParts.ts';
import { ServedServer } from './servedServer.ts';
import { serverNames } from './introduction.ts';

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
  /** In the order of the configuration. */
  readonly #entries = new Map<ServerId, Entry>();
  #names: ReadonlyMap<ServerId, string> = new Map();
  #told: string | undefined;
  #port = 0;
  #http: Server | undefined;
  #starting: Promise<void> | undefined;
  #isClosed = false;
  /** Fires when the set of endpoints, or the version or use of one, changes. Fires once for a burst of changes. */
  readonly onDidChange = this.#changed.event;
  readonly drawnCalls = new DrawnCalls();

  constructor(parts: BridgeParts) {
    this.#parts = parts;
    this.#knownServers = new KnownServers(parts.memory);
    this.#tell = this.#store.add(new CoalescedRun(async () => this.#tellChange(), changeTimes));
    this.#keep = this.#store.add(new CoalescedRun(() => this.#keepKnown(), keepTimes));
  }

  /** One for each published server, in the order of the configuration. Empty until started. */
  get endpoints(): readonly BridgeEndpoint[] {
    return [...this.#entries].map(([id, entry]) => this.#describe(id, entry));
  }

  endpoint(id: ServerId): BridgeEndpoint | undefined {
    const entry = this.#entries.get(id);
    return entry && this.#describe(id, entry);
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
    this.#entries.forEach(disposeEntry);
    this.#entries.clear();
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
    const parts = this.#parts;
    this.#store.add(parts.host.onDidChangeServers(() => this.#reconcile()));
    this.#store.add(parts.onDidChangePublished(() => this.#reconcile()));
    const select = (kind: 'tools' | 'prompts'): void => {
      for (const { server } of this.#entries.values()) {
        server.select(kind);
      }
    };
    this.#store.add(parts.onDidChangeTools(() => select('tools')));
    this.#store.add(parts.onDidChangeShowsApps(() => select('tools')));
    this.#store.add(parts.onDidChangePrompts(() => select('prompts')));
    this.#reconcile();
    this.#told = this.#summary();
  }

  #reconcile(): void {
    const { host, isPublished } = this.#parts;
    const published = [...host.servers.values()].filter(({ config }) => isPublished(config));
    this.#names = serverNames(published.map(({ config }) => config));
    const before = new Map(this.#entries);
    this.#entries.clear();
    for (const connection of published) {
      const { id } = connection;
      const entry = before.get(id);
      entry?.server.replace(connection);
      this.#entries.set(id, entry ?? this.#entryOf(connection));
      before.delete(id);
    }
    before.forEach(disposeEntry);
    this.#tell.request();
  }

  #entryOf(connection: ServerConnection): Entry {
    const known = this.#knownServers.get(connection.config);
    const server = new ServedServer(connection, known, {
      ...this.#parts,
      drawnCalls: this.drawnCalls,
    });
    server.onDidChange(() => {
      this.#tell.request();
      this.#keep.request();
    });
    const endpoint = new HttpEndpoint({
      server,
      name: () => this.#nameOf(server),
      onRelease: () => this.#tell.request(),
    });
    const { version } = server;
    return { server, endpoint, path: `/${randomWord()}`, token: new BearerToken(), version };
  }

  #nameOf({ config: { id, name } }: ServedServer): string {
    return this.#names.get(id) ?? name;
  }

  /**
   * VS Code ends its connection when the version changes, even in the middle of a call. A connected client gets the new
   * version after it disconnects.
   */
  #describe(id: ServerId, entry: Entry): BridgeEndpoint {
    const { server, endpoint, path, token } = entry;
    if (!endpoint.isInUse) {
      entry.version = server.version;
    }
    return {
      server: id,
      label: server.config.name,
      introducedAs: this.#nameOf(server),
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

function disposeEntry({ server, endpoint }: Entry): void {
  endpoint.dispose();
  server.dispose();
}
