/** A host with one server that a test plays, its apps, and an editor that refuses nothing. */
import assert from 'node:assert/strict';
import { toDisposable, type Disposable } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/event.ts';
import type { AppHost } from '../../src/host/apps/appHost.ts';
import type { AppServices } from '../../src/host/apps/appRequests.ts';
import { Apps } from '../../src/host/apps/apps.ts';
import { ShownApps } from '../../src/host/apps/shownApps.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import { AjvSchemaChecker } from '../../src/host/schemas/jsonSchema.ts';
import type { SchemaChecker } from '../../src/host/schemas/schemaChecker.ts';
import type { ServerConnection } from '../../src/host/servers/connection.ts';
import { featuresFor, callServicesFor } from '../../src/host/servers/features.ts';
import { McpHost } from '../../src/host/servers/host.ts';
import { AppApprovals } from '../../src/host/toolApproval/appApprovals.ts';
import type { UiPermission } from '../../src/mcp/types/apps.ts';
import type { Tool } from '../../src/mcp/types/lists.ts';
import type { CallToolResult, ServerCapabilities } from '../../src/mcp/types/methods.ts';
import { deferred, type Deferred } from './deferred.ts';
import { FakeApprovals } from './fakeApprovals.ts';
import { FakeClock } from './fakeClock.ts';
import { FakeGate } from './fakeGate.ts';
import { FakeLogs } from './fakeLogs.ts';
import { type Answers, FakeConnector, FakeSession } from './fakeSession.ts';
import { FakeAppUi, FakePort } from './fakeView.ts';
import { FakeWorkspace } from './fakeWorkspace.ts';
import { stdioServer } from './serverConfigs.ts';

export const uri = 'ui://clock/view';
export const page = { uri, mimeType: 'text/html;profile=mcp-app', text: '<p>noon</p>' };

export const tools: readonly Tool[] = [
  { name: 'get-time', _meta: { ui: { resourceUri: uri } } },
  { name: 'poll', _meta: { ui: { visibility: ['app'] } } },
  { name: 'plan', _meta: { ui: { visibility: ['model'] } } },
].map((tool) => ({ ...tool, inputSchema: { type: 'object' } }));

export interface Opened {
  readonly app: AppHost;
  readonly port: FakePort;
  readonly outcome: Deferred<CallToolResult>;
}

export class AppGround implements Disposable {
  readonly clock = new FakeClock();
  readonly logs = new FakeLogs();
  readonly asked = new FakeApprovals();
  readonly connector: FakeConnector;
  readonly host: McpHost;
  readonly apps: Apps;
  ui = new FakeAppUi();
  /** Fire `showsAppsChanged` after a change. */
  showsApps = true;
  readonly showsAppsChanged = new Emitter<void>();
  readonly shownApps: ShownApps;
  /** The user's setting. */
  appDomains: unknown;
  /** As the server would answer now. */
  answers: Answers;
  #calls = 0;

  constructor(
    more: Answers = {},
    capabilities: ServerCapabilities = { tools: {}, resources: {} },
    services: Partial<AppServices> = {},
  ) {
    this.answers = {
      'tools/list': () => ({ tools }),
      'resources/list': () => ({ resources: [] }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
      'prompts/list': () => ({ prompts: [] }),
      'resources/read': () => ({ contents: [page] }),
      'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }),
      ...more,
    };
    this.connector = new FakeConnector(() => new FakeSession(capabilities, this.answers));
    const workspace = new FakeWorkspace([]);
    const roots = new WorkspaceRoots(workspace);
    this.host = new McpHost({
      workspace,
      roots,
      features: (server) => featuresFor(server, { roots }),
      gate: new FakeGate(),
      connector: () => this.connector,
      logs: this.logs,
      log: this.logs.hostLog,
      clock: this.clock,
    });
    const ajv = new AjvSchemaChecker();
    const checker: SchemaChecker = { check: async (...given) => ajv.check(...given) };
    const audit = {
      record: (entry: FakeApprovals['audit'][number]) => this.asked.audit.push(entry),
    };
    const { workspaceMemory: memory, globalMemory } = this.asked;
    this.shownApps = new ShownApps({ memory, globalMemory, audit });
    this.apps = new Apps({
      host: this.host,
      about: { name: 'host', version: '1.0.0' },
      showsApps: () => this.showsApps,
      onDidChangeShowsApps: this.showsAppsChanged.event,
      shownApps: this.shownApps,
      appDomains: () => this.appDomains,
      clock: this.clock,
      approvals: new AppApprovals(this.asked.approvals, this.clock),
      audit,
      checker: () => checker,
      callServices: (server) => callServicesFor(server, { audit }),
      ...services,
    });
  }

  configure(...servers: readonly ServerConfig[]): void {
    this.host.reconcile({ servers, inputs: new Map(), problems: [] });
  }

  /** Runs the server. */
  async run(more: Partial<ServerConfig> = {}): Promise<ServerConnection> {
    this.configure(stdioServer('clock', more));
    const server = this.host.servers.get('user/clock');
    assert.ok(server);
    await server.start();
    await server.catalog.whenLoaded();
    return server;
  }

  /** An app that shows a call of `get-time`, and has greeted. */
  async open(
    server: ServerConnection,
    {
      id = `call-${(this.#calls += 1)}`,
      granted = [],
      hello = {},
    }: {
      readonly id?: string;
      readonly granted?: readonly UiPermission[];
      readonly hello?: object;
    } = {},
  ): Promise<Opened> {
    const [tool] = tools;
    assert.ok(tool);
    const [port, outcome] = [new FakePort(), deferred<CallToolResult>()];
    const resource = await this.apps.read(server, uri, new AbortController().signal);
    const call = { id, tool, input: {}, outcome: outcome.promise };
    const { post } = port;
    const app = this.apps.open({ server, call, resource, post, ui: this.ui, granted });
    port.receive = (message) => app.receive(message);
    await port.ask('greeting', 'ui/initialize', {
      appInfo: { name: 'clock', version: '1.0.0' },
      appCapabilities: {},
      protocolVersion: '2026-01-26',
      ...hello,
    });
    port.notify('ui/notifications/initialized');
    return { app, port, outcome };
  }

  dispose(): void {
    this.apps.dispose();
    this.host.dispose();
  }
}

/** What a test opens ends with it. */
export function grounds(): (...parts: ConstructorParameters<typeof AppGround>) => AppGround {
  const open: Disposable[] = [];
  afterEach(() => open.splice(0).forEach((one) => one.dispose()));
  return (...parts) => {
    const ground = new AppGround(...parts);
    open.push(toDisposable(() => ground.dispose()));
    return ground;
  };
}
