/** Only what a person has just started may ask for a sign-in: not what a bridge, a window or a document does by itself. */
import assert from 'node:assert/strict';
import { LoopbackBridge } from '../../src/entries/servers.ts';
import type { AuthScripted } from '../servers/authScripted.ts';
import { editorClient, freeBridge } from '../support/bridged.ts';
import { deferred } from '../support/deferred.ts';
import { FakeMemory } from '../support/fakeApprovals.ts';
import { memoryStore } from '../support/memoryStore.ts';
import { type SignInWindow, SignInWindows, type WindowOptions } from '../support/signInHarness.ts';
import { waitUntil } from '../support/waitUntil.ts';

const never = new AbortController().signal;
/** As in the entry with which it was seen: nothing stands between a refusal and the question. */
const settings = { clientId: 'mine' };

describe('who may be asked to sign in', () => {
  let server: AuthScripted;
  const windows = new SignInWindows();
  const open = (options: Partial<WindowOptions> = {}): SignInWindow =>
    windows.open({ settings, ...options });

  beforeEach(async () => {
    server = await windows.begin();
  });

  it('SEC-10 (legacy): the bridge that connects while a server starts by itself asks nobody', async () => {
    const refusal = deferred<void>();
    server.resource.overrides.set('/mcp', async () => {
      await refusal.promise;
      return undefined;
    });
    const window = open();
    await bridged(window, async ({ client, connect, isHeard }) => {
      const started = window.host.startUnasked(window.connection.id).catch(() => false);
      await waitUntil('the start', () => server.resource.countOf('/mcp') > 0);
      const connected = connect();
      await waitUntil('the client', isHeard);
      refusal.resolve();
      await Promise.all([started, connected]);
      assert.deepEqual((await client.listTools()).tools, []);
    });
    assert.deepEqual(window.ui.subjects, []);
    assert.equal(window.ui.opened, 0);
    assert.deepEqual(window.connection.state, { kind: 'stopped', because: 'signInNeeded' });
  });

  it('SEC-10 (legacy): listing over the bridge asks nobody when a token has ended; a call of a chat asks', async () => {
    const window = open();
    await window.tools();
    await bridged(window, async ({ client, connect }) => {
      await connect();
      server.endTokens();
      server.endRefreshTokens();
      await client.listTools();
      assert.deepEqual(window.ui.reasons, ['first']);
      await client.callTool({ name: 'a', arguments: {} });
    });
    assert.deepEqual(window.ui.reasons, ['first', 'ended']);
  });

  it('SEC-10 (legacy): a call of a chat starts a server that runs when needed, and asks; a document that is read by itself does not', async () => {
    const window = open({ server: { startup: 'onDemand' } });
    await assert.rejects(window.connection.resources.read('notes://1', never), {
      code: 'signInNeeded',
    });
    assert.deepEqual(window.connection.state, { kind: 'stopped', because: 'signInNeeded' });
    assert.deepEqual(window.ui.subjects, []);
    await bridged(window, async ({ client, connect }) => {
      await connect();
      await client.callTool({ name: 'a', arguments: {} });
    });
    assert.equal(window.ui.subjects.length, 1);
  });

  it('SEC-10 (legacy): a server that starts by itself uses a sign-in that came after it was refused, in another window', async () => {
    const store = memoryStore();
    const [first, second] = [open({ store }), open({ store })];
    await second.needsSignIn();
    await first.tools();
    await second.startsUnasked();
  });
});

type BridgeClient = ReturnType<typeof editorClient> & {
  /** Whether its first request has come to the bridge. */
  readonly isHeard: () => boolean;
};

/** The bridge in front of the window's host, with a client that knows its one server. */
async function bridged(
  { host, logs }: SignInWindow,
  use: (client: BridgeClient) => Promise<void>,
): Promise<void> {
  const bridge = new LoopbackBridge(
    freeBridge({ host, log: logs.hostLog, memory: new FakeMemory() }),
  );
  await bridge.start();
  const [endpoint] = bridge.endpoints;
  assert.ok(endpoint);
  const own = editorClient(endpoint);
  const isHeard = (): boolean => bridge.endpoints.some(({ isInUse }) => isInUse);
  try {
    await use({ ...own, isHeard });
  } finally {
    await own.client.close();
    await bridge.close();
  }
}
