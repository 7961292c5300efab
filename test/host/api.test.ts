/** The API as another extension finds it; what needs an answer of the user is in the browser tests. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { McpHostApi, McpServerDefinition } from '../../api/mcpHost.d.ts';
import {
  clear,
  configure,
  extension,
  node,
  fromRoot,
  probe,
  server,
  servers,
  until,
  untilState,
} from './support/host.ts';

/** An extension that every editor has. Nothing but its id is used, as by one that calls itself so. */
const callerId = 'vscode.git';

async function api(): Promise<McpHostApi> {
  await vscode.extensions.getExtension(callerId)?.activate();
  return extension().exports.getAPI(1, callerId);
}

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof Error && 'code' in error && error.code === code;
}

function definition(name: string): McpServerDefinition {
  return { name, command: node, args: [fromRoot('test/servers/probe.mjs')] };
}

/** Calls with what the types would not let through. */
function loosely(target: object, method: string, ...args: readonly unknown[]): unknown {
  return Reflect.apply(Reflect.get(target, method), target, args);
}

describe('API for other extensions', () => {
  before(clear);
  after(clear);

  it('is for the version that it knows, and for extensions that are there (@smoke)', async () => {
    assert.deepEqual((await api()).listServers(), []);
    assert.throws(
      () => loosely(extension().exports, 'getAPI', 2, callerId),
      hasCode('unsupported'),
    );
    for (const caller of ['no.such-extension', 'mcp-host.mcp-host', undefined, {}]) {
      assert.throws(() => loosely(extension().exports, 'getAPI', 1, caller), hasCode('denied'));
    }
    const git = vscode.extensions.getExtension(callerId);
    assert.ok(git !== undefined);
    assert.deepEqual(extension().exports.getAPI(1, git).listServers(), []);
  });

  it('lists servers and what they offer, and tells changes', async () => {
    const own = await api();
    let changes = 0;
    const disposables: vscode.Disposable[] = [];
    own.onDidChangeServers(() => (changes += 1), undefined, disposables);
    await configure({ listed: probe({ ITEMS: '3' }) });
    await untilState('listed', 'ready');
    const listed = await until('the resources', () =>
      own.listServers().find(({ name, isLoading }) => name === 'listed' && !isLoading),
    );
    assert.deepEqual([listed.scope, listed.state, listed.resources], ['user', 'ready', 3]);
    assert.equal(own.listResources(listed.id).length, 3);
    assert.deepEqual(own.listTools('user/none'), []);
    assert.ok(changes > 0);
    assert.equal(disposables.length, 1);
    vscode.Disposable.from(...disposables).dispose();
  });

  it('refuses what makes no sense before anybody is asked', async () => {
    const own = await api();
    await configure({ listed: probe() });
    await untilState('listed', 'ready');
    await assert.rejects(own.callTool('user/none', 'x', {}), hasCode('invalidInput'));
    await assert.rejects(own.callTool('user/listed', 'none', {}), hasCode('invalidInput'));
    await assert.rejects(
      async () => loosely(own, 'callTool', 'user/listed', 'none', 'text'),
      hasCode('invalidInput'),
    );
    const source = new vscode.CancellationTokenSource();
    source.cancel();
    const read = own.readResource('user/listed', 'probe://a', { token: source.token });
    await assert.rejects(read, hasCode('cancelled'));
  });

  it('VSC-28, SEC-01: contributed servers have a scope of their own, wait for consent, and go with the registration', async () => {
    const own = await api();
    const changed = new vscode.EventEmitter<void>();
    let definitions = [definition('first')];
    const registration = own.registerServerDefinitionProvider({
      onDidChangeServerDefinitions: changed.event,
      provideServerDefinitions: () => definitions,
    });
    const id = (name: string): string => `extension:${callerId}/${name}`;
    const waiting = await untilState(id('first'), 'stopped');
    assert.deepEqual([waiting.scope, waiting.extension], ['extension', callerId]);
    await until('the want of consent', () => server(id('first'))?.because === 'consentNeeded');
    definitions = [definition('second')];
    changed.fire();
    await untilState(id('second'), 'stopped');
    assert.equal(server(id('first')), undefined);
    registration.dispose();
    await until('no contributed server', () => servers().every(({ scope }) => scope === 'user'));
    changed.dispose();
  });

  it('a provider that fails has no servers, and breaks nothing', async () => {
    const own = await api();
    const failing = own.registerServerDefinitionProvider({
      provideServerDefinitions: () => {
        throw new Error('not today');
      },
    });
    const working = own.registerServerDefinitionProvider({
      provideServerDefinitions: async () => [{ name: 'other', url: 'http://127.0.0.1:1/mcp' }],
    });
    await until('the other one', () => server(`extension:${callerId}/other`));
    failing.dispose();
    working.dispose();
    await until('no contributed server', () => servers().every(({ scope }) => scope === 'user'));
  });
});
