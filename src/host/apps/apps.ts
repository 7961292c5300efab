/** The apps of all servers: which tools have one, and the live views. An editor draws them and owns their frames. */
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { truncated } from '../../base/text.ts';
import type { UiPermission } from '../../mcp/types/apps.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { Implementation, ServerCapabilities } from '../../mcp/types/methods.ts';
import { refusalFor } from '../servers/connectionTexts.ts';
import type { McpHost } from '../servers/host.ts';
import { type AppCall, AppHost } from './appHost.ts';
import type { AppUi } from './appUi.ts';
import { appAbilities, type AppServices } from './appRequests.ts';
import type { ShownApps } from './shownApps.ts';
import { viewLink } from './toolUi.ts';
import {
  type AppServer,
  type HowRead,
  type UiResource,
  UiResources,
  type UiServer,
} from './uiResource.ts';

export interface AppsParts extends AppServices {
  readonly host: Pick<McpHost, 'servers' | 'onDidChangeServers'>;
  /** This host's name and version, for views. */
  readonly about: Implementation;
  /** False when the user has switched apps off. */
  readonly showsApps: () => boolean;
  readonly onDidChangeShowsApps: Event<void>;
  readonly shownApps: Pick<ShownApps, 'consent' | 'onDidRevoke'>;
  /** The value of `mcpHost.apps.domains`. */
  readonly appDomains: () => unknown;
  readonly clock: Clock;
}

export interface OpenApp {
  readonly server: UiServer;
  readonly call: AppCall;
  readonly resource: UiResource;
  /** Sends a message to the view. */
  readonly post: (message: object) => void;
  readonly ui: AppUi;
  /** What the editor grants of the declared permissions. */
  readonly granted: readonly UiPermission[];
}

type Live = Pick<OpenApp, 'server' | 'call' | 'resource'> & { readonly app: AppHost };

export class Apps implements Disposable {
  readonly #parts: AppsParts;
  readonly #store = new DisposableStore();
  readonly #resources: UiResources;
  /** By the id of the call (APP-81). */
  readonly #live = new Map<string, Live>();
  readonly #warned = new WeakSet<Tool>();

  constructor(parts: AppsParts) {
    this.#parts = parts;
    this.#resources = new UiResources(parts.clock, parts.appDomains);
    const check = (): void => this.#check();
    this.#store.add(parts.host.onDidChangeServers(check));
    this.#store.add(parts.onDidChangeShowsApps(check));
    this.#store.add(parts.shownApps.onDidRevoke(check));
  }

  /** The view that shows calls of a tool; undefined for a plain tool, and when apps are off for its server. */
  viewOf({ config, output }: Pick<UiServer, 'config' | 'output'>, tool: Tool): string | undefined {
    const link = viewLink(tool);
    if (link.kind === 'wrong' && !this.#warned.has(tool)) {
      this.#warned.add(tool);
      const found = truncated(JSON.stringify(link.found) ?? '', 100);
      output.log.warn(`The tool "${tool.name}" has no app: ${found} is no ui:// address`);
    }
    return link.kind === 'view' && config.apps && this.#parts.showsApps() ? link.uri : undefined;
  }

  /**
   * @throws McpError saying why the view cannot be shown
   */
  read(server: UiServer, uri: string, signal: AbortSignal, how?: HowRead): Promise<UiResource> {
    return this.#resources.read(server, uri, signal, how);
  }

  /** A client of the bridge has read a page, to draw it itself. @param result of any shape */
  take(server: UiServer, uri: string, result: unknown): void {
    this.#resources.take(server, uri, result);
  }

  /** The view as it was read last, without a request. */
  known(server: UiServer, uri: string): UiResource | undefined {
    return this.#resources.known(server, uri);
  }

  /** Begins the conversation with a view. One that shows the same call ends. */
  open({ server, call, resource, post, ui, granted }: OpenApp): AppHost {
    const { about: host, clock } = this.#parts;
    const { state, output } = server;
    const declared: ServerCapabilities =
      state.kind === 'ready' ? state.server.capabilities : whileStopped;
    this.#live.get(call.id)?.app.dispose();
    const app = new AppHost({
      ...appAbilities({
        server: withoutStarts(server),
        ui,
        services: this.#parts,
        declared,
        resource,
        granted,
      }),
      post,
      ui,
      call,
      host,
      clock,
      log: output.log,
      // Among the server's own messages, and within their limit (APP-68).
      onLog: (message) => output.notification(message),
      observe: (direction, message) => server.tap.observer?.ofApp(call.id, direction, message),
    });
    this.#live.set(call.id, { app, server, call, resource });
    const notices = server.onDidNotice(({ kind }) => {
      const list = lists.find((one) => one === kind);
      if (list !== undefined && declared[list]?.listChanged === true) {
        app.listChanged(list);
      }
    });
    app.onDidChange(({ kind }) => {
      if (kind === 'failed' || kind === 'closed') {
        notices.dispose();
        if (this.#live.get(call.id)?.app === app) {
          this.#live.delete(call.id);
        }
      }
    });
    return app;
  }

  dispose(): void {
    this.#store.dispose();
    for (const { app } of this.#live.values()) {
      app.dispose();
    }
  }

  #check(): void {
    for (const live of this.#live.values()) {
      const reason = this.#whyOver(live);
      if (reason !== undefined) {
        void live.app.close(reason);
      }
    }
  }

  /** A view outlives a stop of its server, but neither its removal nor the user's consent (APP-80). */
  #whyOver({ server, call, resource }: Live): string | undefined {
    const { host, shownApps } = this.#parts;
    if (host.servers.get(server.config.id) !== server) {
      return 'The server was removed, or its settings have changed';
    }
    if (this.viewOf(server, call.tool) === undefined) {
      return 'The user has switched apps off';
    }
    // What is open stays when the user shows a newer page of it.
    return shownApps.consent(server.config, resource) === 'none'
      ? 'The user has taken back which sites it may reach'
      : undefined;
  }
}

const lists = ['tools', 'resources', 'prompts'] as const;

/** A view may be shown again before its server runs: its requests fail until then. */
const whileStopped = { tools: {}, resources: {}, prompts: {} };

/** No request of an app starts a server that was stopped (APP-80). */
function withoutStarts(server: UiServer): AppServer {
  const { config, catalog } = server;
  const withSession: AppServer['withSession'] = async (...use) => {
    const { kind } = server.state;
    if (kind === 'stopped' || kind === 'stopping') {
      throw refusalFor(config, undefined);
    }
    return server.withSession(...use);
  };
  return { config, catalog, withSession };
}
