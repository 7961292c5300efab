/** Signed in for weeks, over restarts, in an editor in a browser: with a clock of its own, on a server of this process. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { type AuthScripted, mcpAnswer, refused } from '../servers/authScripted.ts';
import { memoryStore } from '../support/memoryStore.ts';
import { requireQuietLogs, SignInWindows } from '../support/signInHarness.ts';
import { waitUntil } from '../support/waitUntil.ts';

const hourMs = 3_600_000;

describe('staying signed in', () => {
  let server: AuthScripted;
  const windows = new SignInWindows();
  const { open } = windows;

  beforeEach(async () => {
    server = await windows.begin(['s3cret']);
  });

  afterEach(() => mock.timers.reset());

  it('AUTH-32, AUTH-33 (legacy), FLOW-15 (2026): goes on for five weeks and four restarts after one sign-in, and no request is refused', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    server.keepsTime = true;
    const store = memoryStore();
    let window = open({ store });
    await window.tools();
    for (let week = 0; week < 5; week += 1) {
      for (let hour = 0; hour < 7 * 24; hour += 7) {
        mock.timers.tick(7 * hourMs);
        await window.listTools();
      }
      if (week < 4) {
        await window.close();
        mock.timers.tick(48 * hourMs);
        window = open({ store });
        await window.startsUnasked();
      }
    }
    assert.equal(windows.all.flatMap(({ ui }) => ui.subjects).length, 1);
    const bare = server.resource.asked.filter(
      ({ path, headers }) =>
        path === '/mcp' && !server.secrets.has(headers.authorization?.slice(7) ?? ''),
    );
    assert.equal(bare.length, 1, 'the very first one');
    assert.equal(server.resource.countOf('/.well-known/oauth-protected-resource/mcp'), 1);
    assert.ok(server.grants('refresh_token') >= 5 * 24);
  });

  it('OCC-06 (2026): gets a new token before the end of the one of client credentials, which nothing refreshes', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    server.keepsTime = true;
    server.issuesRefreshTokens = false;
    const window = open({
      settings: { grant: { kind: 'clientCredentials' }, clientId: 'job', clientSecret: 's3cret' },
    });
    await window.tools();
    const sent = server.resource.countOf('/mcp');
    mock.timers.tick(hourMs - 30_000);
    await window.listTools();
    assert.equal(server.grants('client_credentials'), 2);
    assert.equal(server.resource.countOf('/mcp'), sent + 1, 'the request was sent once');
    assert.deepEqual(window.ui.subjects, []);
  });

  it('WIF-04 (2026): trades the token that the platform has written last, and logs none', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    server.keepsTime = true;
    server.issuesRefreshTokens = false;
    const folder = await mkdtemp(join(tmpdir(), 'workload-'));
    try {
      const assertionFile = join(folder, 'token');
      await writeFile(assertionFile, 'first.of.platform\n');
      const window = open({ settings: { grant: { kind: 'workloadIdentity', assertionFile } } });
      await window.startsUnasked();
      await writeFile(assertionFile, 'second.of.platform\n');
      mock.timers.tick(hourMs - 30_000);
      await window.listTools();
      const traded = server.issuer.asked
        .filter(({ path }) => path === '/token')
        .map(({ form }) => form.get('assertion'));
      assert.deepEqual(traded, ['first.of.platform', 'second.of.platform']);
      requireQuietLogs([window], ['first.of.platform', 'second.of.platform']);
      await rm(assertionFile);
      mock.timers.tick(2 * hourMs);
      await assert.rejects(window.listTools(), {
        code: 'invalidConfig',
        message: /"oauth\.assertionFile" of this server cannot be read/u,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  for (const [what, answer] of [
    ['an error in HTTP 200', { json: { error: 'bad_refresh_token' } }],
    ['an error of no list', refused('invalid_token')],
    ['invalid_request', refused('invalid_request')],
    ['invalid_scope', refused('invalid_scope')],
    ['a page', { status: 401, body: 'no' }],
  ] as const) {
    it(`AUTH-33 (legacy): a refresh that is refused with ${what} leads to a sign-in, and is tried again where nobody can be asked`, async () => {
      const window = open();
      await window.tools();
      const refuse = (): void =>
        void server.issuer.overrides.set('/token', ({ form }) =>
          form.get('grant_type') === 'refresh_token' ? answer : undefined,
        );
      refuse();
      server.endTokens();
      await window.connection.stop();
      await window.needsSignIn();
      server.issuer.overrides.clear();
      await window.startsUnasked();
      refuse();
      server.endTokens();
      await window.callTool();
      assert.deepEqual(window.ui.reasons, ['first', 'ended']);
    });
  }

  it('asks for a new token twice a minute where a refresh is refused before the end', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    server.keepsTime = true;
    const window = open();
    await window.tools();
    server.issuer.overrides.set('/token', () => refused('invalid_request'));
    mock.timers.tick(hourMs - 50_000);
    await window.listTools();
    await window.listTools();
    assert.equal(server.grants('refresh_token'), 1);
    mock.timers.tick(30_000);
    await window.listTools();
    assert.equal(server.grants('refresh_token'), 2);
  });

  it('a sign-in ends with the last request that waits for it, also while the token of before is ending', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    const window = open();
    await window.tools();
    mock.timers.tick(hourMs - 50_000);
    server.endTokens();
    server.endRefreshTokens();
    window.ui.browse = () => new Promise(() => undefined);
    const cancelling = new AbortController();
    const first = window.callTool('a', cancelling.signal);
    await waitUntil('the browser', () => window.ui.opened === 2);
    mock.timers.tick(31_000); // the next attempt to renew before the end
    const sent = server.resource.countOf('/mcp');
    const second = window.callTool('a', cancelling.signal);
    await waitUntil('the second request', () => server.resource.countOf('/mcp') > sent);
    cancelling.abort();
    await Promise.all([assert.rejects(first), assert.rejects(second)]);
    await waitUntil('the listener to close', () => window.ui.listening === 0);
  });

  it('SEC-11 (legacy): a token that the server repeats is hidden, also after its entry was away', async () => {
    const window = open();
    await window.tools();
    const { config } = window.connection;
    const reconcile = (servers: readonly (typeof config)[]): void =>
      window.host.reconcile({ servers, inputs: new Map(), problems: [] });
    reconcile([]);
    reconcile([config]);
    await window.tools();
    server.resource.overrides.set('/mcp', ({ body, headers, message: { id } }) =>
      body.includes('tools/call')
        ? { json: { jsonrpc: '2.0', id, error: { code: -1, message: headers.authorization } } }
        : undefined,
    );
    await assert.rejects(window.callTool(), { message: 'Bearer ***' });
  });

  it('AUTH-18, AUTH-24 (legacy), REG-14 (2026): keeps a registration for each way back, and refreshes with the one of the token', async () => {
    const other = await windows.server();
    other.resource.overrides.set('/.well-known/oauth-protected-resource/mcp', () => ({
      json: { resource: other.url, authorization_servers: [server.issuer.origin] },
    }));
    other.resource.overrides.set('/mcp', (asked) =>
      server.secrets.has(asked.headers.authorization?.slice(7) ?? '')
        ? mcpAnswer(asked)
        : other.challenge(),
    );
    const store = memoryStore();
    const first = open({ store });
    const second = open({
      store,
      url: other.url,
      server: { id: 'user/other', name: 'other' },
    });
    // An editor in a browser gives each way back a number of its own, and counts anew after a reload.
    first.ui.redirectUri = 'https://editor.example/callback?id=1';
    second.ui.redirectUri = 'https://editor.example/callback?id=2';
    await first.tools();
    await second.tools();
    assert.equal(server.issuer.countOf('/register'), 2);
    server.endTokens();
    await first.listTools();
    assert.equal(server.grants('refresh_token'), 1);
    assert.equal(first.ui.subjects.length, 1, 'the token of the first is renewed as before');
  });
});
