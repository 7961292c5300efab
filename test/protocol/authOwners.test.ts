/** What a sign-in belongs to: an entry, its URL and the way to it. Whoever differs in one of them signs in on its own. */
import assert from 'node:assert/strict';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import { type AuthScripted, mcpAnswer } from '../servers/authScripted.ts';
import { withProxy } from '../servers/connectProxy.ts';
import { FakeMemory } from '../support/fakeApprovals.ts';
import { memoryStore } from '../support/memoryStore.ts';
import { type SignInWindow, SignInWindows } from '../support/signInHarness.ts';

const ofWorkspace: Partial<ServerConfig> = { id: 'workspace/notes', scope: { kind: 'workspace' } };

describe('what a sign-in belongs to', () => {
  let server: AuthScripted;
  const windows = new SignInWindows();
  const { open } = windows;

  beforeEach(async () => {
    server = await windows.begin();
  });

  /** Starts by itself, and may use what is stored. */
  async function isLeftOut(window: SignInWindow): Promise<void> {
    const before = server.resource.asked.length;
    await window.needsSignIn();
    const sent = server.resource.asked.slice(before).map(({ headers }) => headers.authorization);
    assert.ok(sent.length > 0);
    assert.deepEqual(
      sent,
      sent.map(() => undefined),
    );
  }

  for (const [what, options] of [
    ['of a workspace', { server: ofWorkspace }],
    ['of another name', { server: { id: 'user/other', name: 'other' } }],
    ['that goes another way', { connection: { proxy: false } }],
    ['of another workspace', { server: ofWorkspace, workspaceId: 'file:///elsewhere' }],
  ] as const) {
    it(`an entry ${what} with the same URL gets a sign-in of its own`, async () => {
      const store = memoryStore();
      const memory = new FakeMemory();
      await open({ store, memory }).tools();
      await open({ store, memory, server: ofWorkspace, workspaceId: 'file:///third' }).tools();
      await isLeftOut(open({ store, memory, ...options }));
      const again = open({ store, memory });
      await again.startsUnasked();
    });
  }

  it("a second server of one origin that claims the first one's resource gets a token of its own alone", async () => {
    const { origin } = server.resource;
    const sent = new Map<string, (string | undefined)[]>();
    for (const path of ['/a', '/b']) {
      sent.set(path, []);
      server.resource.overrides.set(`/.well-known/oauth-protected-resource${path}`, () => ({
        json: { resource: origin, authorization_servers: [server.issuer.origin] },
      }));
      server.resource.overrides.set(path, (asked) => {
        const { authorization } = asked.headers;
        sent.get(path)?.push(authorization);
        return authorization === undefined
          ? { status: 401, headers: { 'www-authenticate': 'Bearer' } }
          : mcpAnswer(asked);
      });
    }
    const store = memoryStore();
    await open({ store, url: `${origin}/a` }).tools();
    const other = open({
      store,
      url: `${origin}/b`,
      server: { id: 'user/other', name: 'other' },
    });
    await other.needsSignIn();
    await other.tools();
    const ofFirst = new Set(sent.get('/a'));
    assert.ok(ofFirst.size === 2 && ofFirst.has(undefined));
    const shared = sent.get('/b')?.filter((one) => one !== undefined && ofFirst.has(one));
    assert.deepEqual(shared, []);
  });

  it('signing out forgets what belongs to the entry, whatever its URL was, and nothing of another', async () => {
    const store = memoryStore();
    const first = open({ store });
    await first.tools();
    await open({ store, server: ofWorkspace }).tools();
    const names = async (): Promise<readonly string[]> =>
      (await first.signIns.stored()).flatMap((item) =>
        item.kind === 'tokens' ? [`${item.owner.scope}: ${item.owner.server}`] : [],
      );
    assert.deepEqual((await names()).toSorted(), ['user: notes', 'workspace file:///work: notes']);
    const later = open({ store, url: `${server.url}/moved` });
    assert.equal(await later.signIns.signOut(later.connection.config), true);
    assert.deepEqual(await names(), ['workspace file:///work: notes']);
    assert.equal(server.issuer.countOf('/revoke'), 2);
    assert.equal(await later.signIns.signOut(later.connection.config), false);
  });

  it('tokens that go another way than the one of now are forgotten, and sent nowhere to be revoked', async () => {
    await withProxy(async (proxy) => {
      const store = memoryStore();
      const first = open({ store, connection: { proxy: { origin: proxy.url } } });
      await first.tools();
      await first.close();
      const later = open({ store });
      assert.equal(await later.signIns.signOut(later.connection.config), true);
      assert.equal(server.issuer.countOf('/revoke'), 0);
      assert.deepEqual(await later.kinds(), ['registration']);
    });
  });
});
