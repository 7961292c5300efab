import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event.ts';
import type { BridgeSettings } from '../../../../src/host/config/userSettings.ts';
import { DrawnCalls } from '../../../../src/host/editorChat/drawnCalls.ts';
import type { ServerConfig } from '../../../../src/host/config/serverConfig.ts';
import {
  type BridgeEndpoint,
  EditorChat,
  type ServingBridge,
} from '../../../../src/host/editorChat/editorChat.ts';
import { openAccess } from '../../../support/editorAccess.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeLogs } from '../../../support/fakeLogs.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

/** Longer than the editor is asked. */
const longMs = 120_000;
/** Until the editor is asked for the first time. */
const firstMs = 50;

class Setup {
  readonly clock = new FakeClock();
  readonly serversChanged = new Emitter<void>();
  readonly accessChanged = new Emitter<void>();
  readonly bridgeChanged = new Emitter<void>();
  readonly started: string[] = [];
  readonly inUse = new Set<string>();
  readonly chat: EditorChat;
  settings: BridgeSettings = { isEnabled: true, confirmation: 'mcpHost' };
  access = openAccess;
  isTrusted = true;
  mayStart = true;
  version = '1';
  isKnown = true;
  bridges = 0;
  changes = 0;
  bridgeError: Error | undefined;
  servers: readonly ServerConfig[];

  constructor(...servers: readonly ServerConfig[]) {
    this.servers = servers;
    const current = (): ReadonlyMap<string, { readonly config: ServerConfig }> =>
      new Map(this.servers.map((config) => [config.id, { config }]));
    this.chat = new EditorChat({
      host: {
        get servers() {
          return current();
        },
        onDidChangeServers: this.serversChanged.event,
      },
      settings: () => this.settings,
      isTrusted: () => this.isTrusted,
      bridge: () => this.#bridge(),
      editor: {
        takesServers: true,
        access: () => this.access,
        onDidChangeAccess: this.accessChanged.event,
        mayStart: () => this.mayStart,
        start: async (label) => {
          this.started.push(label);
        },
      },
      clock: this.clock,
      log: new FakeLogs().hostLog,
    });
    this.chat.onDidChangeDefinitions(() => {
      this.changes += 1;
    });
  }

  come(...ids: readonly string[]): void {
    for (const id of ids) {
      this.inUse.add(id);
    }
    this.bridgeChanged.fire();
  }

  #bridge(): ServingBridge {
    this.bridges += 1;
    const endpoints = (): readonly BridgeEndpoint[] =>
      this.servers
        .filter((config) => this.chat.isPublished(config))
        .map(({ id, name }) => ({
          server: id,
          label: name,
          introducedAs: name,
          url: `http://127.0.0.1:1/${id}`,
          headers: {},
          version: this.version,
          isKnown: this.isKnown,
          isInUse: this.inUse.has(id),
        }));
    return {
      start: async () => {
        if (this.bridgeError !== undefined) {
          throw this.bridgeError;
        }
      },
      get endpoints() {
        return endpoints();
      },
      endpoint: (id) => endpoints().find(({ server }) => server === id),
      onDidChange: this.bridgeChanged.event,
      drawnCalls: new DrawnCalls(),
    };
  }
}

const a = stdioServer('a');

describe('offering servers to the editor’s chat', () => {
  it('loads the bridge for the first server, and not before', async () => {
    const setup = new Setup();
    setup.serversChanged.fire();
    assert.equal(setup.changes, 0, 'the editor reads by itself first');
    assert.deepEqual(await setup.chat.definitions(), []);
    assert.equal(setup.bridges, 0);
    setup.servers = [a];
    setup.serversChanged.fire();
    assert.equal(setup.changes, 1, 'the editor asks again');
    const definitions = await setup.chat.definitions();
    assert.deepEqual(
      definitions.map(({ label, url }) => [label, url]),
      [['a', 'http://127.0.0.1:1/user/a']],
    );
    await setup.chat.definitions();
    assert.equal(setup.bridges, 1);
  });

  it('gives servers labels of their own: the editor tells them apart by them', async () => {
    const one = { ...stdioServer('x'), id: 'folder:1/x' };
    const other = { ...stdioServer('X'), id: 'folder:2/x' };
    const setup = new Setup(one, other, stdioServer('x 2'));
    assert.deepEqual(
      (await setup.chat.definitions()).map(({ label }) => label),
      ['x', 'X 2', 'x 2 2'],
    );
  });

  it('leaves out what is off, hidden or restricted', () => {
    const setup = new Setup();
    const { chat } = setup;
    assert.equal(chat.isPublished(a), true);
    assert.equal(chat.isPublished(stdioServer('a', { bridge: false })), false);
    assert.equal(chat.isPublished(stdioServer('a', { isEnabled: false })), false);
    assert.equal(chat.isPublished(stdioServer('a', { hiddenBy: { kind: 'workspace' } })), false);
    assert.equal(chat.isPublished(stdioServer('a', { forbiddenBy: 'chat.mcp.access' })), false);
    setup.isTrusted = false;
    assert.equal(chat.isPublished(a), false);
    setup.isTrusted = true;
    setup.settings = { ...setup.settings, isEnabled: false };
    assert.equal(chat.isPublished(a), false);
    assert.deepEqual(chat.offer(a), { kind: 'off', by: 'setting' });
    setup.settings = { ...setup.settings, isEnabled: true };
    assert.deepEqual(chat.offer(stdioServer('a', { bridge: false })), { kind: 'off', by: 'entry' });
    assert.deepEqual(chat.offer(stdioServer('a', { isEnabled: false })), { kind: 'none' });
  });

  it('tells the bridge when the settings change', () => {
    const setup = new Setup(a);
    let told = 0;
    setup.chat.onDidChangePublished(() => {
      told += 1;
    });
    setup.chat.refresh();
    assert.equal(told, 1);
  });

  it('asks the editor to start each server until it comes', async () => {
    const setup = new Setup(a, stdioServer('b'));
    await setup.chat.definitions();
    assert.deepEqual(setup.chat.offer(a), { kind: 'waiting' });
    setup.clock.advance(200);
    assert.deepEqual(setup.started, ['a', 'b', 'a', 'b']);
    setup.come('user/a');
    assert.deepEqual(setup.chat.offer(a), { kind: 'inUse', label: 'a' });
    setup.clock.advance(200);
    assert.deepEqual(setup.started.slice(4), ['b']);
    setup.come('user/b');
    setup.clock.advance(longMs);
    assert.equal(setup.started.length, 5);
    assert.equal(setup.clock.pending, 0);
  });

  it('tells of offers only when one is another', async () => {
    const setup = new Setup(a);
    let told = 0;
    setup.chat.onDidChangeOffers(() => {
      told += 1;
    });
    await setup.chat.definitions();
    setup.come('user/a');
    assert.equal(told, 1);
    setup.bridgeChanged.fire();
    setup.chat.refresh();
    assert.equal(told, 1);
  });

  it('gives up after a while and says what to do', async () => {
    const setup = new Setup(a);
    await setup.chat.definitions();
    setup.clock.advance(longMs);
    assert.equal(setup.started.length, 13);
    assert.deepEqual(setup.chat.offer(a), { kind: 'notStarted', label: 'a' });
    setup.access = {
      ...openAccess,
      allowManagedServersOnly: true,
      allowedServers: [{ serverName: 'a' }],
    };
    assert.deepEqual(setup.chat.offer(a), {
      kind: 'notStarted',
      label: 'a',
      suspect: 'chat.mcp.allowManagedServersOnly',
    });
    setup.access = openAccess;
    setup.accessChanged.fire();
    setup.clock.advance(firstMs);
    assert.equal(setup.started.length, 14, 'another setting, another try');
  });

  it('does not start again what the user has stopped in the editor', async () => {
    const setup = new Setup(a);
    await setup.chat.definitions();
    setup.come('user/a');
    setup.inUse.clear();
    setup.version = '2';
    setup.bridgeChanged.fire();
    await setup.chat.definitions();
    setup.clock.advance(longMs);
    assert.deepEqual(setup.started, []);
    assert.deepEqual(setup.chat.offer(a), { kind: 'notStarted', label: 'a' });
  });

  it('starts a server anew that was taken out and comes back', async () => {
    const setup = new Setup(a);
    await setup.chat.definitions();
    setup.come('user/a');
    setup.servers = [];
    setup.inUse.clear();
    setup.bridgeChanged.fire();
    setup.servers = [a];
    setup.bridgeChanged.fire();
    await setup.chat.definitions();
    setup.clock.advance(firstMs);
    assert.deepEqual(setup.started, ['a']);
  });

  it('starts a server anew that the editor takes for another, since its label is another', async () => {
    const one = { ...stdioServer('x'), id: 'folder:1/x' };
    const other = { ...stdioServer('x'), id: 'folder:2/x' };
    const setup = new Setup(one, other);
    await setup.chat.definitions();
    setup.come(one.id, other.id);
    setup.servers = [other];
    setup.inUse.clear();
    setup.bridgeChanged.fire();
    await setup.chat.definitions();
    setup.clock.advance(firstMs);
    assert.deepEqual(setup.started, ['x']);
  });

  it('has no server started that runs only when it is needed, until it has run', async () => {
    const lazy = stdioServer('lazy', { startup: 'onDemand' });
    const setup = new Setup(lazy);
    setup.isKnown = false;
    await setup.chat.definitions();
    setup.clock.advance(longMs);
    assert.deepEqual(setup.started, []);
    assert.deepEqual(setup.chat.offer(lazy), { kind: 'untilNeeded' });
    setup.isKnown = true;
    setup.bridgeChanged.fire();
    setup.clock.advance(firstMs);
    assert.deepEqual(setup.started, ['lazy']);
  });

  it('starts nothing where the user wants no server started', async () => {
    const setup = new Setup(a);
    setup.mayStart = false;
    await setup.chat.definitions();
    setup.clock.advance(longMs);
    assert.deepEqual(setup.started, []);
    assert.deepEqual(setup.chat.offer(a), { kind: 'notStarted', label: 'a' });
    setup.mayStart = true;
    setup.accessChanged.fire();
    setup.clock.advance(firstMs);
    assert.deepEqual(setup.started, ['a']);
  });

  it('names the setting that blocks, and asks for nothing meanwhile', async () => {
    const setup = new Setup(a);
    setup.access = { ...openAccess, access: 'none' };
    await setup.chat.definitions();
    setup.clock.advance(longMs);
    assert.deepEqual(setup.chat.offer(a), { kind: 'blocked', setting: 'chat.mcp.access' });
    assert.deepEqual(setup.started, []);
    setup.access = openAccess;
    setup.accessChanged.fire();
    setup.clock.advance(firstMs);
    assert.deepEqual(setup.started, ['a']);
  });

  it('tells the editor of a new version, and of nothing else', async () => {
    const setup = new Setup(a);
    await setup.chat.definitions();
    setup.come('user/a');
    assert.equal(setup.changes, 0);
    setup.version = '2';
    setup.bridgeChanged.fire();
    assert.equal(setup.changes, 1);
    assert.equal((await setup.chat.definitions())[0]?.version, '2');
  });

  it('offers nothing when no port can be had, and fails nobody', async () => {
    const setup = new Setup(a);
    setup.bridgeError = new Error('no port');
    assert.deepEqual(await setup.chat.definitions(), []);
  });

  it('asks for nothing after its end', async () => {
    const setup = new Setup(a);
    await setup.chat.definitions();
    setup.chat.dispose();
    setup.clock.advance(longMs);
    assert.deepEqual(setup.started, []);
  });
});
