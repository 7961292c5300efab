/** A host with real servers, and the bridge in front of it: nothing of VS Code, and every tool allowed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as send,
} from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Emitter, noEvent } from '../../src/base/event.ts';
import type { BridgeParts } from '../../src/bridge/bridgeParts.ts';
import type { BridgeEndpoint } from '../../src/host/editorChat/editorChat.ts';
import { LoopbackBridge } from '../../src/entries/servers.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import type { ServerConnection } from '../../src/host/servers/connection.ts';
import type { HostServices, McpHost } from '../../src/host/servers/host.ts';
import type { Readiness } from '../../src/host/launch/launchGate.ts';
import { FakeMemory } from './fakeApprovals.ts';
import { FakeLogs } from './fakeLogs.ts';
import { FakeWorkspace } from './fakeWorkspace.ts';
import { openGate, realHost } from './realHost.ts';
import { stdioServer } from './serverConfigs.ts';
import { waitUntil } from './waitUntil.ts';

export const limitMs = 60_000;

export function nodeServer(
  name: string,
  args: readonly string[],
  more: Partial<ServerConfig> = {},
): ServerConfig {
  const launch = { kind: 'stdio', command: process.execPath, args, env: {} } as const;
  return stdioServer(name, { startup: 'auto', launch, ...more });
}

export interface BridgeAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export async function answerTo(request: ClientRequest): Promise<BridgeAnswer> {
  const response = await responseTo(request);
  let body = '';
  response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  await once(response, 'close');
  return { status: response.statusCode, headers: response.headers, body };
}

export function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve) => {
    request.once('response', resolve);
  });
}

/** Of a bridge that shows every server and every tool, and lets each call through. */
export function freeBridge(of: Pick<BridgeParts, 'host' | 'log' | 'memory'>): BridgeParts {
  return {
    ...of,
    isPublished: ({ isEnabled }) => isEnabled,
    onDidChangePublished: noEvent,
    showsApps: () => true,
    onDidChangeShowsApps: noEvent,
    appDomains: () => undefined,
    takePage: () => undefined,
    isToolOn: () => true,
    onDidChangeTools: noEvent,
    showsPrompts: () => true,
    onDidChangePrompts: noEvent,
    approveTool: async ({ input }) => input,
    callServices: () => ({}),
  };
}

/** The official client, not yet connected, and its way to a bridge. */
export function editorClient(endpoint: BridgeEndpoint) {
  const client = new Client({ name: 'editor', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
    requestInit: { headers: { ...endpoint.headers } },
  });
  return { client, transport, connect: () => client.connect(transport) };
}

export class BridgedHost {
  readonly logs = new FakeLogs();
  readonly memory: FakeMemory;
  readonly published = new Emitter<void>();
  /** Tools that the user has switched off. Fire `toolsChanged` when they are others. */
  readonly toolsOff = new Set<string>();
  readonly toolsChanged = new Emitter<void>();
  /** Whether the user has prompts on. Fire `promptsChanged` after a change. */
  showsPrompts = true;
  readonly promptsChanged = new Emitter<void>();
  /** Whether the user has MCP apps on. Fire `showsAppsChanged` after a change. */
  showsApps = true;
  readonly showsAppsChanged = new Emitter<void>();
  /** The user's setting. */
  appDomains: unknown;
  takePage: BridgeParts['takePage'] = () => undefined;
  /** What stands in the way of a start without a question. */
  readiness: Readiness = 'ready';
  /** The readiness is known once this resolves. */
  whenLooked: Promise<void> = Promise.resolve();
  /** Starts that went through the gate. */
  prepared = 0;
  isPublished: BridgeParts['isPublished'] = ({ isEnabled }) => isEnabled;
  approveTool: BridgeParts['approveTool'] = async ({ input }) => input;
  callServices: BridgeParts['callServices'] = () => ({});
  readonly host: McpHost;
  readonly bridge: LoopbackBridge;

  constructor(more: Partial<HostServices> & { readonly memory?: FakeMemory } = {}) {
    const workspace = new FakeWorkspace([{ uri: 'file:///work', name: 'work', path: '/work' }]);
    const gate = openGate();
    this.memory = more.memory ?? new FakeMemory();
    this.host = realHost({
      workspace,
      gate: {
        readiness: async () => {
          await this.whenLooked;
          return this.readiness;
        },
        prepare: (server, signal) => {
          this.prepared += 1;
          return gate.prepare(server, signal);
        },
      },
      logs: this.logs,
      log: this.logs.hostLog,
      ...more,
    });
    this.bridge = new LoopbackBridge({
      ...freeBridge({ host: this.host, log: this.logs.hostLog, memory: this.memory }),
      isPublished: (server) => this.isPublished(server),
      onDidChangePublished: this.published.event,
      showsApps: () => this.showsApps,
      onDidChangeShowsApps: this.showsAppsChanged.event,
      appDomains: () => this.appDomains,
      takePage: (...read) => this.takePage(...read),
      isToolOn: (_server, tool) => !this.toolsOff.has(tool),
      onDidChangeTools: this.toolsChanged.event,
      showsPrompts: () => this.showsPrompts,
      onDidChangePrompts: this.promptsChanged.event,
      approveTool: (...call) => this.approveTool(...call),
      callServices: (server) => this.callServices(server),
    });
  }

  configure(...servers: readonly ServerConfig[]): void {
    this.host.reconcile({ servers, inputs: new Map(), problems: [] });
  }

  server(name: string): ServerConnection {
    const connection = this.host.servers.get(`user/${name}`);
    assert.ok(connection, `no server "${name}"`);
    return connection;
  }

  /** Opens the bridge in front of these servers, and waits until they run. */
  async serve(...servers: readonly ServerConfig[]): Promise<void> {
    this.configure(...servers);
    await this.bridge.start();
    await Promise.all(servers.map(({ name }) => this.untilReady(name)));
  }

  endpoint(name: string): BridgeEndpoint {
    const endpoint = this.bridge.endpoints.find(({ label }) => label === name);
    assert.ok(endpoint, `no endpoint for "${name}"`);
    return endpoint;
  }

  /** Begins a request to the endpoint of a server, with these headers and without its token. */
  begin(
    name: string,
    headers: OutgoingHttpHeaders,
    { method = 'POST', path }: { readonly method?: string; readonly path?: string } = {},
  ): ClientRequest {
    const { hostname, port, pathname } = new URL(this.endpoint(name).url);
    const accept = 'application/json, text/event-stream';
    const request = send({
      host: hostname,
      port,
      path: path ?? pathname,
      method,
      agent: false,
      headers: { 'content-type': 'application/json', accept, ...headers },
    });
    request.on('error', () => undefined); // the answer may come while it still sends
    return request;
  }

  async untilReady(name: string): Promise<ServerConnection> {
    const server = this.server(name);
    await waitUntil(`"${name}" to be ready`, () => server.state.kind === 'ready', limitMs);
    await server.catalog.whenLoaded();
    return server;
  }

  async close(): Promise<void> {
    await this.bridge.close();
    await this.host.close(limitMs);
  }
}
