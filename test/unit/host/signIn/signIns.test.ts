import assert from 'node:assert/strict';
import type { ConfigScope } from '../../../../src/host/config/serverConfig.ts';
import { AccountAccess } from '../../../../src/host/signIn/accountAccess.ts';
import { ownerOf, SignIns, type StoredSignIn } from '../../../../src/host/signIn/signIns.ts';
import { Credentials } from '../../../../src/mcp/auth/credentials.ts';
import { OAuthAuthorizer } from '../../../../src/mcp/auth/oauthAuthorizer.ts';
import { nextFamily } from '../../../../src/mcp/auth/tokenFamily.ts';
import type { ConnectionSettings } from '../../../../src/mcp/network/connectionSettings.ts';
import { Authority } from '../../../servers/authority.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';
import { memoryStore, userEntry } from '../../../support/memoryStore.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const url = new URL('https://h/mcp?tenant=secret');
const user = { scope: { kind: 'user' }, name: 'notes' } as const;

function routeOf(connection?: ConnectionSettings): string {
  return ownerOf(user, 'file:///w', url, connection).route;
}

function scopeIn(scope: ConfigScope, workspace: string): string {
  return ownerOf({ scope, name: 'notes' }, workspace, url).scope;
}

describe('ownerOf', () => {
  it('names the entry, its settings and its URL without the query', () => {
    assert.deepEqual(ownerOf(user, 'file:///w', url), {
      scope: 'user',
      server: 'notes',
      url: 'https://h/mcp',
      route: '',
    });
  });

  it('tells the settings of one workspace from those of another; what is the same everywhere it does not', () => {
    const folder = { uri: 'file:///f', name: 'f' };
    const followed = { kind: 'followed', program: 'Cursor', path: '/f/.cursor/mcp.json' } as const;
    const cases: readonly (readonly [ConfigScope, boolean])[] = [
      [{ kind: 'user' }, true],
      [{ kind: 'workspace' }, false],
      [{ kind: 'remote' }, false],
      [{ kind: 'folder', ...folder }, false],
      [{ kind: 'extension', id: 'acme.notes', name: 'Acme' }, true],
      [followed, true],
      [{ ...followed, folder }, false],
    ];
    for (const [scope, isEverywhere] of cases) {
      const isSame = scopeIn(scope, 'file:///w') === scopeIn(scope, 'file:///x');
      assert.equal(isSame, isEverywhere, scope.kind);
    }
    const all = cases.map(([scope]) => scopeIn(scope, 'file:///w'));
    assert.equal(new Set(all).size, all.length);
  });

  it('another proxy, other authorities, another client or an unchecked certificate is another way', () => {
    const authority = new Authority('one');
    const client = authority.issue('ada');
    const ways: readonly ConnectionSettings[] = [
      {},
      { proxy: false },
      { proxy: { origin: 'http://one:8080' } },
      { proxy: { origin: 'http://two:8080' } },
      { tls: { ca: [authority.pem] } },
      { tls: { ca: [new Authority('two').pem] } },
      { tls: { client } },
      { tls: { client: authority.issue('eve') } },
      { tls: { isInsecure: true } },
    ];
    const routes = ways.map(routeOf);
    assert.equal(new Set(routes).size, ways.length);
    assert.equal(routes[0], '');
  });

  it('a new password, or a client certificate that was renewed, changes nothing and shows nowhere', () => {
    const authority = new Authority('one');
    const proxy = { origin: 'http://one:8080' };
    assert.equal(routeOf({ proxy: { ...proxy, authorization: 'Basic a' } }), routeOf({ proxy }));
    assert.equal(
      routeOf({ tls: { client: { ...authority.issue('ada'), passphrase: 'secret' } } }),
      routeOf({ tls: { client: authority.issue('ada') } }),
    );
    assert.equal(routeOf({ tls: {} }), '');
  });
});

const notes = stdioServer('notes');
const serverUrl = new URL(userEntry.url);
const nobody = (): Promise<never> => Promise.reject(new Error('nobody is here'));

/** One window of the editor, with the requests that its sign-ins send. */
function open(store: ReturnType<typeof memoryStore>, onFetch?: () => Promise<void>) {
  const asked: string[] = [];
  const needed: string[] = [];
  const signIns = new SignIns({
    store,
    accounts: new AccountAccess(new FakeMemory()),
    workspaceId: () => 'file:///w',
    readFile: nobody,
    clientMetadataUrl: () => undefined,
    load: (request) =>
      new OAuthAuthorizer({
        ...request,
        credentials: new Credentials(store, request.owner),
        user: {
          prepareRedirect: nobody,
          chooseIssuer: nobody,
          hasAccounts: () => false,
          accountToken: async () => undefined,
        },
        fetch: async (target) => {
          asked.push(new URL(String(target)).origin);
          await onFetch?.();
          return new Response('', { status: 404 });
        },
        clientName: 'MCP Host',
      }),
  });
  signIns.onDidNeedSignIn((id) => needed.push(id));
  const auth = { grant: { kind: 'authorizationCode' }, dpop: false } as const;
  const authorizerBy = (connection?: ConnectionSettings) =>
    signIns.authorizerFor(
      notes,
      { kind: 'http', url: serverUrl.href, headers: {}, auth, ...(connection && { connection }) },
      { mayAsk: () => false, log: () => undefined, addSecrets: () => undefined },
    );
  const authorizer = authorizerBy();
  /** What the next request goes out with. */
  const sent = async (): Promise<string | undefined> =>
    (await authorizer?.headersFor('POST', serverUrl))?.['authorization'];
  return { signIns, sent, asked, needed, authorizerBy };
}

/** Signs in at this authorization server, now the last one. */
async function signedInAt(store: ReturnType<typeof memoryStore>, issuer: string): Promise<void> {
  const credentials = new Credentials(store, userEntry);
  const origin = { issuer, resource: serverUrl.href };
  const obtainedAt = Date.now();
  await credentials.setOrigin(origin);
  await credentials.setTokens(origin, {
    accessToken: `of ${issuer}`,
    tokenType: 'bearer',
    clientId: 'c',
    obtainedAt,
    family: nextFamily(undefined),
  });
}

async function issuersOf(signIns: SignIns): Promise<readonly string[]> {
  return (await signIns.stored()).flatMap((item) => (item.kind === 'tokens' ? [item.issuer] : []));
}

async function storedAt(signIns: SignIns, issuer: string): Promise<StoredSignIn> {
  const item = (await signIns.stored()).find(
    (stored) => stored.kind === 'tokens' && stored.issuer === issuer,
  );
  assert.ok(item);
  return item;
}

describe('SignIns', () => {
  it('signs out a server whose tokens another window has deleted', async () => {
    const store = memoryStore();
    await signedInAt(store, 'https://as');
    const [one, other] = [open(store), open(store)];
    assert.equal(await one.sent(), 'Bearer of https://as');
    assert.equal(await other.signIns.signOut(notes), true);
    assert.equal(await one.signIns.signOut(notes), true);
    assert.equal(await one.sent(), undefined);
    assert.deepEqual(one.needed, [notes.id]);
    assert.equal(await one.signIns.signOut(notes), false);
  });

  for (const [whose, isSignedIn] of [
    ['of a server where nobody signed in', false],
    ['once its tokens are revoked there', true],
  ] as const) {
    it(`SEC-05 (legacy): a sign-out takes back the yes to a private address, ${whose}`, async () => {
      const store = memoryStore();
      const credentials = new Credentials(store, userEntry);
      await credentials.allowPrivateOrigin('https://as');
      await (isSignedIn && signedInAt(store, 'https://as'));
      const atFetch: unknown[] = [];
      const { signIns } = open(store, async () => {
        atFetch.push(await credentials.privateOrigins());
      });
      const stored = (await signIns.stored()).map(({ kind }) => kind);
      assert.deepEqual(stored.toSorted(), isSignedIn ? ['private', 'tokens'] : ['private']);
      assert.equal(await signIns.signOut(notes), true);
      assert.equal(atFetch.length > 0, isSignedIn);
      assert.ok(atFetch.every((allowed) => String(allowed) === 'https://as'));
      assert.deepEqual(await credentials.privateOrigins(), []);
    });
  }

  it('sends what it holds on the way that it was got for, and on no other', async () => {
    const store = memoryStore();
    await signedInAt(store, 'https://as');
    const { sent, authorizerBy } = open(store);
    assert.equal(await sent(), 'Bearer of https://as');
    const other = authorizerBy({ proxy: { origin: 'http://other:8080' } });
    const headers = await other?.headersFor('POST', serverUrl);
    assert.equal(headers?.['authorization'], undefined);
  });

  it('forgets tokens of an earlier authorization server, and nothing of the one of now', async () => {
    const store = memoryStore();
    await signedInAt(store, 'https://old');
    await signedInAt(store, 'https://new');
    const { signIns, sent, asked, needed } = open(store);
    assert.equal(await sent(), 'Bearer of https://new');
    await signIns.forget(await storedAt(signIns, 'https://old'));
    assert.equal(await sent(), 'Bearer of https://new');
    assert.deepEqual([asked, needed], [[], []]);
    assert.deepEqual(await issuersOf(signIns), ['https://new']);
    await signIns.forget(await storedAt(signIns, 'https://new'));
    assert.equal(await sent(), undefined);
    assert.deepEqual(needed, [notes.id]);
    assert.ok(asked.includes('https://new'));
  });

  it('ends the use of forgotten tokens where another window has moved on', async () => {
    const store = memoryStore();
    await signedInAt(store, 'https://old');
    const { signIns, sent } = open(store);
    assert.equal(await sent(), 'Bearer of https://old');
    await signedInAt(store, 'https://new');
    await signIns.forget(await storedAt(signIns, 'https://old'));
    assert.equal(await sent(), undefined);
    assert.deepEqual(await issuersOf(signIns), ['https://new']);
  });
});
