/** Signing in through the whole host, on a server of this process that says yes to whoever asks. */
import assert from 'node:assert/strict';
import { isMcpError } from '../../src/mcp/errors.ts';
import { type AuthScripted, mcpAnswer } from '../servers/authScripted.ts';
import { withProxy } from '../servers/connectProxy.ts';
import { deferred } from '../support/deferred.ts';
import { memoryStore } from '../support/memoryStore.ts';
import { type SignInWindow, SignInWindows } from '../support/signInHarness.ts';
import { withTimeJumps } from '../support/timeJump.ts';
import { waitUntil } from '../support/waitUntil.ts';

describe('signing in to a server', () => {
  let server: AuthScripted;
  const windows = new SignInWindows();
  const { open } = windows;

  beforeEach(async () => {
    // SEC-11 (legacy), OCC-07 (2026): whatever a test here does, nothing of it is logged.
    server = await windows.begin(['my secret', 's3cret']);
  });

  it('AUTH-01, AUTH-03, AUTH-04, AUTH-16, AUTH-19, AUTH-21, AUTH-30 (legacy), REG-07, FLOW-01, FLOW-03, FLOW-13 (2026): goes from a refusal to the tools at one click', async () => {
    const window = open();
    assert.deepEqual(await window.tools(), ['a']);
    const [{ by: _, ...subject } = assert.fail()] = window.ui.subjects;
    assert.deepEqual(subject, {
      server: 'notes',
      url: server.url,
      issuer: server.issuer.origin,
      scopes: ['read'],
      reason: 'first',
    });
    assert.deepEqual(window.ui.finished, ['signedIn']);
    assert.equal(window.ui.listening, 0);
    const asked = server.issuer.asked.find(({ path }) => path === '/authorize');
    assert.equal(asked?.query.get('resource'), server.url);
    assert.equal(asked?.query.get('code_challenge_method'), 'S256');
    const token = server.issuer.asked.find(({ path }) => path === '/token');
    assert.equal(token?.form.get('resource'), server.url);
    assert.ok((token?.form.get('code_verifier') ?? '').length >= 43);
    assert.equal(server.issuer.countOf('/register'), 1);
    const bare = server.resource.asked.filter(
      ({ path, headers }) => path === '/mcp' && headers.authorization === undefined,
    );
    assert.equal(bare.length, 1, 'every request but the first one carries the token');
    assert.ok(server.resource.asked.every(({ query }) => query.size === 0));
  });

  it('SEC-14 (legacy): says which page opens, who gets the code, and for what the token is good, where others than the issuer and the server are named', async () => {
    const { origin } = server.resource;
    const page = 'https://login.elsewhere.example';
    const tokenEndpoint = 'https://tokens.elsewhere.example';
    server.metadata = {
      authorization_endpoint: `${page}/authorize?tenant=1`,
      token_endpoint: `${tokenEndpoint}/token`,
    };
    server.resource.overrides.set('/.well-known/oauth-protected-resource/mcp', () => ({
      json: { resource: origin, authorization_servers: [server.issuer.origin] },
    }));
    const window = open();
    window.ui.answer = () => 'no';
    await assert.rejects(window.connection.start(), { code: 'signInNeeded' });
    const [subject] = window.ui.subjects;
    assert.deepEqual(subject?.by, {
      kind: 'browser',
      opens: page,
      tokenEndpoint,
      resource: origin,
    });
    assert.equal(subject.issuer, server.issuer.origin);
  });

  it('asks for metadata, registration and tokens through the proxy of the entry, too', async () => {
    await withProxy(async (proxy) => {
      const window = open({ connection: { proxy: { origin: proxy.url } } });
      assert.deepEqual(await window.tools(), ['a']);
      const { origin } = server.issuer;
      const paths = proxy.seen.flatMap((line) =>
        line.includes(` ${origin}/`) ? [line.replace(`${origin}/`, '/').replace(/\?.*/u, '')] : [],
      );
      assert.ok(paths.includes('POST /token') && paths.includes('POST /register'), paths.join());
      // What the browser opens goes its own way.
      assert.equal(paths.length, server.issuer.asked.length - server.issuer.countOf('/authorize'));
      await window.close();
    });
  });

  it('loads nothing for a server that needs no sign-in', async () => {
    server.resource.overrides.set('/mcp', mcpAnswer);
    const window = open();
    assert.deepEqual(await window.tools(), ['a']);
    assert.equal(window.loads, 0);
  });

  it('SEC-10 (legacy): asks nobody when nobody asked for the start: the server waits for a click', async () => {
    const window = open();
    assert.equal(await window.host.startUnasked(window.connection.id).catch(() => false), false);
    assert.deepEqual(window.connection.state, { kind: 'stopped', because: 'signInNeeded' });
    assert.deepEqual(window.ui.subjects, []);
    assert.equal(window.loads, 0, 'the authorization code is not loaded for that');
    assert.deepEqual(await window.tools(), ['a']);
  });

  it('says while it starts that it waits for the user, and counts that time for nothing', () =>
    withTimeJumps(async (pass) => {
      const answer = deferred<'open'>();
      const times = { startMs: 50_000, requestMs: 50_000, totalMs: 3_600_000 };
      const window = open({ server: { timeouts: times } });
      window.ui.answer = () => answer.promise;
      const started = window.tools();
      await waitUntil(
        'the row to say so',
        () =>
          'waitsFor' in window.connection.state && window.connection.state.waitsFor === 'signIn',
      );
      pass(120_000);
      answer.resolve('open');
      assert.deepEqual(await started, ['a']);
    }));

  for (const [how, act] of [
    ['cancel', (window: SignInWindow) => window.signIns.cancel(window.connection.id)],
    ['stop', (window: SignInWindow) => void window.connection.stop()],
  ] as const) {
    it(`ends at once, the listener with it: ${how}`, async () => {
      const window = open();
      window.ui.browse = () => new Promise(() => undefined);
      const started = window.connection.start().then(
        () => 'ready',
        (error: unknown) => (isMcpError(error) ? error.code : error),
      );
      await waitUntil('the browser', () => window.ui.opened === 1);
      assert.equal(window.ui.listening, 1);
      act(window);
      assert.equal(await started, how === 'cancel' ? 'signInNeeded' : 'closed');
      await waitUntil('the listener to close', () => window.ui.listening === 0);
      await waitUntil('the end', () => window.connection.state.kind === 'stopped');
      assert.equal(window.signIns.isWaiting(window.connection.id), false);
    });
  }

  it('AUTH-33 (legacy), FLOW-03 (2026): 50 requests that are refused together refresh once', async () => {
    const window = open();
    await window.tools();
    server.endTokens();
    const calls = Array.from({ length: 50 }, () => window.callTool());
    await Promise.all(calls);
    assert.equal(server.grants('refresh_token'), 1);
    const refreshing = server.issuer.asked.find(
      ({ form }) => form.get('grant_type') === 'refresh_token',
    );
    assert.equal(refreshing?.form.get('resource'), server.url);
    assert.equal(window.ui.subjects.length, 1);
  });

  it('AUTH-28 (legacy), FLOW-19, FLOW-22 (2026): asks for more permissions when the server wants them, with all that it asked for before', async () => {
    server.challengedScope = 'read list';
    // Less than was asked for.
    server.issuer.overrides.set('/token', () =>
      server.issue({ scope: 'read', audience: server.url }),
    );
    const window = open();
    await window.tools();
    server.resource.overrides.set('/mcp', ({ body, headers }) => {
      const isWide = server.issuer.asked.some(
        ({ path, query }) => path === '/authorize' && query.get('scope') === 'read list write',
      );
      const isCall = body.includes('tools/call');
      const challenge = 'Bearer error="insufficient_scope", scope="write"';
      return isCall && !isWide && headers.authorization !== undefined
        ? { status: 403, headers: { 'www-authenticate': challenge } }
        : undefined;
    });
    await window.callTool();
    assert.deepEqual(window.ui.subjects.at(-1)?.scopes, ['read', 'list', 'write']);
    assert.equal(window.ui.subjects.at(-1)?.reason, 'more');
    assert.equal(server.grants('refresh_token'), 0, 'a refresh cannot widen what is allowed');
  });

  it('FLOW-18 (2026): does without a refresh token: the user signs in again', async () => {
    server.issuesRefreshTokens = false;
    const window = open();
    await window.tools();
    server.endTokens();
    await window.callTool();
    assert.deepEqual(window.ui.reasons, ['first', 'ended']);
    assert.equal(server.grants('refresh_token'), 0);
  });

  it('SEC-12 (legacy): sends the token with each request of a session, whose id proves nothing', async () => {
    server.resource.overrides.set('/mcp', (asked) => {
      const isGood = server.isGood(asked.headers.authorization?.replace('Bearer ', '') ?? '');
      return isGood && asked.body.includes('"initialize"')
        ? { ...mcpAnswer(asked), headers: { 'mcp-session-id': 'session-1' } }
        : undefined;
    });
    const window = open({ server: { protocol: 'legacy' } });
    await window.tools();
    await window.callTool();
    const ofSession = server.resource.asked.filter(
      ({ headers }) => headers['mcp-session-id'] === 'session-1',
    );
    assert.ok(ofSession.length >= 3);
    assert.ok(ofSession.every(({ headers }) => headers.authorization !== undefined));
  });

  it('signs out: nothing is kept, the tokens are revoked, and the next start asks', async () => {
    const store = memoryStore();
    const window = open({ store });
    await window.tools();
    assert.deepEqual(await window.kinds(), ['registration', 'tokens']);
    assert.equal(await window.signIns.signOut(window.connection.config), true);
    assert.equal(server.issuer.countOf('/revoke'), 2);
    assert.deepEqual(await window.kinds(), ['registration']);
    assert.equal(window.signIns.isSignedIn(window.connection.id), false);
    await window.connection.stop();
    await window.tools();
    assert.equal(window.ui.subjects.length, 2);
    const client = (await window.signIns.stored()).find(({ kind }) => kind === 'registration');
    assert.ok(client);
    await window.signIns.forget(client);
    await window.signIns.signOut(window.connection.config);
    assert.deepEqual(await window.signIns.stored(), []);
  });

  it('forgets the tokens of a server that is running: it stops, and its next start asks', async () => {
    const window = open();
    await window.tools();
    const tokens = (await window.signIns.stored()).find(({ kind }) => kind === 'tokens');
    assert.ok(tokens);
    await window.signIns.forget(tokens);
    await waitUntil('the stop', () => window.connection.state.kind === 'stopped');
    assert.deepEqual(window.connection.state, { kind: 'stopped', because: 'signInNeeded' });
    assert.deepEqual(await window.kinds(), ['registration']);
    await window.tools();
    assert.equal(window.ui.subjects.length, 2);
  });

  it('gives a server the token of an account of the editor only after asking, once', async () => {
    const token = 'token-of-the-editor-account';
    server.secrets.add(token);
    server.resource.overrides.set('/mcp', (asked) =>
      asked.headers.authorization === `Bearer ${token}` ? mcpAnswer(asked) : server.challenge(),
    );
    const window = open();
    window.ui.accounts.set(server.issuer.origin, token);
    // As of Microsoft's: nobody could sign in there by what it publishes.
    server.metadata = { code_challenge_methods_supported: undefined, issuer: 'https://{tenant}/' };
    assert.deepEqual(await window.tools(), ['a']);
    const by = window.ui.subjects.map((subject) => subject.by.kind);
    assert.deepEqual(by, ['account']);
    assert.equal(window.ui.opened, 0);
    await window.connection.stop();
    assert.deepEqual(await window.tools(), ['a']);
    assert.equal(window.ui.subjects.length, 1);
    const [stored] = await window.signIns.stored();
    assert.ok(stored?.kind === 'account');
    await window.signIns.forget(stored);
    assert.deepEqual(await window.signIns.stored(), []);
    await waitUntil('the stop', () => window.connection.state.kind === 'stopped');
    assert.deepEqual(await window.tools(), ['a']);
    assert.equal(window.ui.subjects.length, 2, 'the access that was taken back is asked for anew');
    await window.signIns.signOut(window.connection.config);
    assert.deepEqual(await window.signIns.stored(), []);
    assert.equal(server.issuer.asked.length, 0, 'nothing is asked of an issuer of the editor');
  });

  for (const [what, settings] of [
    ['a grant', { grant: { kind: 'workloadIdentity', assertion: 'a.b.c' } }],
    ['a client', { clientId: 'mine' }],
  ] as const) {
    it(`offers no account of the editor to an entry that names ${what}`, async () => {
      const window = open({ settings });
      window.ui.accounts.set(server.issuer.origin, 'token-of-the-editor-account');
      assert.deepEqual(await window.tools(), ['a']);
      const offered = window.ui.subjects.filter(({ by }) => by.kind === 'account');
      assert.deepEqual(offered, []);
    });
  }

  it('signs in with the account that the entry names at a server that only says 401', async () => {
    const token = 'token-of-the-editor-account';
    server.secrets.add(token);
    server.resource.overrides.set('/mcp', (asked) =>
      asked.headers.authorization === `Bearer ${token}` ? mcpAnswer(asked) : { status: 401 },
    );
    server.resource.overrides.set('/.well-known/oauth-protected-resource/mcp', () => ({
      status: 404,
    }));
    const window = open({ settings: { provider: 'hub', scopes: ['repo'] } });
    window.ui.accounts.set('hub', token);
    assert.deepEqual(await window.tools(), ['a']);
    const [subject] = window.ui.subjects;
    assert.deepEqual(subject?.by, {
      kind: 'account',
      label: 'Provider hub',
      account: 'octocat',
    });
    assert.deepEqual(subject?.scopes, ['repo']);
  });
});
