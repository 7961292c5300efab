/** An official server with an app, and the official class for views: what they send is not ours. */
import assert from 'node:assert/strict';
import path from 'node:path';
import type { Transport } from '@modelcontextprotocol/client';
import { App } from '@modelcontextprotocol/ext-apps';
import { noAudit } from '../../src/host/audit/audit.ts';
import { systemClock } from '../../src/base/clock.ts';
import { noEvent } from '../../src/base/event.ts';
import type { AppHost } from '../../src/host/apps/appHost.ts';
import type { AppFile } from '../../src/host/apps/appUi.ts';
import { Apps } from '../../src/host/apps/apps.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import { AjvSchemaChecker } from '../../src/host/schemas/jsonSchema.ts';
import type { ServerConnection } from '../../src/host/servers/connection.ts';
import { featuresFor, callServicesFor } from '../../src/host/servers/features.ts';
import { AppApprovals } from '../../src/host/toolApproval/appApprovals.ts';
import { callTool } from '../../src/host/tools/callTool.ts';
import type { CallToolResult } from '../../src/mcp/types/methods.ts';
import { AppSchemas } from '../support/appSchemas.ts';
import { BridgedHost, limitMs, nodeServer } from '../support/bridged.ts';
import { deferred } from '../support/deferred.ts';
import { FakeApprovals } from '../support/fakeApprovals.ts';
import { FakeAppUi, FakePort, type Sent } from '../support/fakeView.ts';
import { FakeWorkspace } from '../support/fakeWorkspace.ts';
import { waitUntil } from '../support/waitUntil.ts';

const server = path.join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/server-basic-vanillajs/dist/index.js',
);
const { signal } = new AbortController();

/** The view's end of a port. */
class ViewTransport implements Transport {
  readonly #port: FakePort;
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(port: FakePort) {
    this.#port = port;
    port.onPost = (message: Sent) =>
      void setImmediate(() => this.onmessage?.(JSON.parse(JSON.stringify(message))));
  }

  async start(): Promise<void> {}

  async send(message: object): Promise<void> {
    const copy: unknown = JSON.parse(JSON.stringify(message));
    setImmediate(() => this.#port.receive(copy));
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}

class Ground {
  readonly asked = new FakeApprovals();
  readonly schemas = new AppSchemas();
  readonly ui = Object.assign(new FakeAppUi(), {
    message: { modalities: ['text'] as const, add: async (content: unknown) => this.did(content) },
    modelContext: {
      modalities: ['text', 'structuredContent'] as const,
      set: (context: unknown) => void this.did(context),
    },
    saveFile: async (file: AppFile) => this.did(file.name),
  });
  readonly done: unknown[] = [];
  readonly bridged = new BridgedHost({
    features: (asked) =>
      featuresFor(asked, { roots: new WorkspaceRoots(new FakeWorkspace([])), apps: true }),
  });
  readonly apps: Apps;
  readonly checker = {
    check: async (...given: Parameters<AjvSchemaChecker['check']>) =>
      new AjvSchemaChecker().check(...given),
  };

  constructor() {
    this.apps = new Apps({
      host: this.bridged.host,
      about: { name: 'host', version: '1.0.0' },
      showsApps: () => true,
      onDidChangeShowsApps: noEvent,
      shownApps: { consent: () => 'given', onDidRevoke: noEvent },
      appDomains: () => undefined,
      clock: systemClock,
      approvals: new AppApprovals(this.asked.approvals, systemClock),
      audit: noAudit,
      checker: () => this.checker,
      callServices: (one) => callServicesFor(one, { audit: { record: () => undefined } }),
    });
  }

  did(what: unknown): boolean {
    this.done.push(what);
    return true;
  }

  async run(): Promise<ServerConnection> {
    this.bridged.configure(nodeServer('clock', [server, '--stdio']));
    return this.bridged.untilReady('clock');
  }

  /** Calls the tool, and shows the call in a view that is the official class. */
  async show(connection: ServerConnection): Promise<{
    readonly app: AppHost;
    readonly view: App;
    readonly heard: readonly (readonly [string, object])[];
  }> {
    const tool = connection.catalog.items('tools').find(({ name }) => name === 'get-time');
    assert.ok(tool);
    const uri = this.apps.viewOf(connection, tool);
    assert.ok(uri);
    const resource = await this.apps.read(connection, uri, signal);
    assert.match(resource.html, /^<!doctype html>/iu);
    const outcome = deferred<CallToolResult>();
    const port = new FakePort();
    connection.tap.observer = {
      sent: () => undefined,
      received: () => undefined,
      exchanged: () => assert.fail('no HTTP'),
      ofApp: (_view, direction, message) => this.schemas.observe(direction, message),
    };
    const call = { id: 'call', tool, input: {}, outcome: outcome.promise };
    const app = this.apps.open({
      server: connection,
      call,
      resource,
      post: port.post,
      ui: this.ui,
      granted: [],
    });
    port.receive = (message) => app.receive(message);
    const view = new App({ name: 'view', version: '1.0.0' }, {}, { autoResize: false });
    const heard: [string, object][] = [];
    for (const event of [
      'toolinput',
      'toolresult',
      'toolcancelled',
      'hostcontextchanged',
    ] as const) {
      view.addEventListener(event, (params: object) => heard.push([event, params]));
    }
    await view.connect(new ViewTransport(port));
    const called = await callTool(connection, this.checker, { tool, input: {}, signal });
    assert.equal(called.kind, 'result');
    outcome.resolve(called.result);
    await waitUntil('the result', () => heard.length === 2, limitMs);
    return { app, view, heard };
  }

  async close(): Promise<void> {
    this.apps.dispose();
    await this.bridged.close();
  }
}

describe('The official app "basic-vanillajs"', () => {
  let ground: Ground;
  beforeEach(() => (ground = new Ground()));
  afterEach(() => ground.close());

  it('APP-01, APP-16, APP-43, APP-55, APP-57: is found by its tool, and gets input and result', async () => {
    const { heard, view, app } = await ground.show(await ground.run());
    const [[first, input] = [], [second, result] = []] = heard;
    assert.deepEqual([first, input, second], ['toolinput', { arguments: {} }, 'toolresult']);
    assert.match(JSON.stringify(result), /\d{4}-\d\d-\d\dT/u);
    assert.equal(view.getHostVersion()?.name, 'host');
    assert.equal(view.getHostContext()?.toolInfo?.tool.name, 'get-time');
    assert.equal(app.state.kind, 'ready');
  });

  it('APP-39, APP-41, APP-49: says and hears what the official schema allows, of every kind', async () => {
    const connection = await ground.run();
    const { app, view, heard } = await ground.show(connection);
    const text = { type: 'text', text: 'Hello' } as const;
    const { content } = await view.callServerTool({ name: 'get-time', arguments: {} });
    assert.equal(content[0]?.type, 'text');
    assert.deepEqual(await view.openLink({ url: 'https://modelcontextprotocol.io/' }), {});
    assert.deepEqual(await view.sendMessage({ role: 'user', content: [text] }), {});
    await view.updateModelContext({ content: [text], structuredContent: { a: 1 } });
    const resource = { uri: 'file:///report.txt', mimeType: 'text/plain', text: 'report' };
    assert.deepEqual(await view.downloadFile({ contents: [{ type: 'resource', resource }] }), {});
    assert.deepEqual(await view.requestDisplayMode({ mode: 'fullscreen' }), { mode: 'fullscreen' });
    const { resources } = await view.listServerResources();
    const [listed] = resources;
    assert.ok(listed);
    const { contents } = await view.readServerResource({ uri: listed.uri });
    assert.equal(contents[0]?.mimeType, 'text/html;profile=mcp-app');
    await view.sendLog({ level: 'info', data: 'drawn' });
    await view.sendSizeChanged({ width: 10, height: 20 });
    await waitUntil('the mode', () => heard.length === 3, limitMs);
    assert.deepEqual(heard[2], ['hostcontextchanged', { displayMode: 'fullscreen' }]);
    let isTold = false;
    view.onteardown = () => {
      isTold = true;
      return {};
    };
    await view.requestTeardown();
    await app.close('Enough');
    assert.equal(isTold, true);
    assert.deepEqual(ground.ui.links, ['https://modelcontextprotocol.io/']);
    assert.deepEqual(ground.ui.sizes, [{ height: 20 }]);
    assert.deepEqual(ground.done, [
      [text],
      { content: [text], structuredContent: { a: 1 } },
      'report.txt',
      undefined,
    ]);
    assert.deepEqual(
      ground.asked.asked.map(({ caller, tool }) => [caller, tool.name]),
      [['app', 'get-time']],
    );
    assert.deepEqual(ground.schemas.problems, []);
    assert.equal(ground.schemas.checked.size, 19, [...ground.schemas.checked].join('\n'));
  });
});
