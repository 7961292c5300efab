/** Several windows that are signed in to one server, whose refresh tokens are good once: one that comes again ends them all. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { SharedFolder } from '../../src/host/signIn/sharedFolder.ts';
import type { AuthScripted } from '../servers/authScripted.ts';
import { BrowserSecrets } from '../support/browserSecrets.ts';
import { deferred } from '../support/deferred.ts';
import { memoryPlace, memoryStore } from '../support/memoryStore.ts';
import { type SignInWindow, SignInWindows } from '../support/signInHarness.ts';
import { waitUntil } from '../support/waitUntil.ts';

const never = new AbortController().signal;

function callTool(window: SignInWindow): Promise<unknown> {
  return window.connection.withSession(
    (session) => session.call('tools/call', { name: 'a', arguments: {} }),
    never,
  );
}

describe('windows that are signed in to one server', () => {
  let server: AuthScripted;
  let folder: string;
  let secrets: BrowserSecrets;
  const windows = new SignInWindows();
  /** A window whose page has been loaded just now. */
  const load = (): SignInWindow => windows.open({ store: secrets.load() });

  /** Two windows, the second one loaded after the sign-in in the first. */
  const two = async (): Promise<readonly [SignInWindow, SignInWindow]> => {
    const first = load();
    await first.tools();
    const second = load();
    await second.startsUnasked();
    return [first, second];
  };

  const questions = (): number => windows.all.flatMap(({ ui }) => ui.subjects).length;

  beforeEach(async () => {
    server = await windows.begin();
    folder = await mkdtemp(path.join(tmpdir(), 'sign-ins-'));
    secrets = new BrowserSecrets(new SharedFolder(folder, (error) => assert.fail(String(error))));
  });

  afterEach(async () => {
    mock.timers.reset();
    await rm(folder, { recursive: true });
  });

  it('AUTH-33 (legacy): that are refused together refresh once, again and again, and nobody is signed out', async () => {
    const both = await two();
    for (const round of [1, 2, 3]) {
      server.endTokens();
      await Promise.all(both.map(callTool));
      assert.equal(server.grants('refresh_token'), round);
    }
    assert.deepEqual([server.reuses, questions()], [0, 1]);
  });

  it('AUTH-33 (legacy): that renew before the end, or after it, refresh once', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    server.keepsTime = true;
    const both = await two();
    for (const [round, seconds] of [3_590, 3_590, 7_200].entries()) {
      mock.timers.tick(seconds * 1000);
      await Promise.all(both.map(callTool));
      assert.equal(server.grants('refresh_token'), round + 1);
    }
    assert.deepEqual([server.reuses, questions()], [0, 1]);
  });

  it('AUTH-33 (legacy): one that is loaded after another has written over its secrets has what was renewed since', async () => {
    const [first, second] = await two();
    server.endTokens();
    await callTool(first);
    await second.store.set('mcpHost.input/other', 'a secret');
    server.endTokens();
    const third = load();
    await third.startsUnasked();
    await Promise.all([first, second, third].map(callTool));
    assert.equal(server.grants('refresh_token'), 2);
    assert.deepEqual([server.reuses, questions()], [0, 1]);
  });

  it('a sign-in in one of them is one in the other, too', async () => {
    const [first, second] = await two();
    server.endTokens();
    server.endRefreshTokens();
    await first.listTools();
    await callTool(second);
    assert.deepEqual([server.reuses, questions()], [0, 2]);
  });

  it('signing out in one of them is seen by the other, and by one that is loaded later', async () => {
    const [first, second] = await two();
    server.issuer.overrides.set('/revoke', () => ({ status: 404 }));
    await first.signIns.signOut(first.connection.config);
    server.endTokens();
    await assert.rejects(callTool(second));
    assert.equal(server.grants('refresh_token'), 0);
    await second.store.set('mcpHost.input/other', 'a secret'); // and with it what it had of before
    const third = load();
    await third.needsSignIn();
    for (const { signIns } of [first, second, third]) {
      const kinds = (await signIns.stored()).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['registration']);
    }
  });

  for (const [where, grant] of [
    ['the same window', 'refresh_token'],
    ['another window', 'refresh_token'],
    ['the same window', 'authorization_code'],
  ] as const) {
    it(`signing out in ${where} is not undone by tokens that are on their way (${grant}): they are revoked`, async () => {
      server.issuesRefreshTokens = grant === 'refresh_token';
      const [first, second] = await two();
      const [asked, answer] = [deferred<void>(), deferred<void>()];
      server.issuer.overrides.set('/token', async () => {
        asked.resolve();
        await answer.promise;
        return server.issue({ scope: 'read', audience: server.url });
      });
      server.endTokens();
      const call = first.callTool().catch(() => undefined);
      await asked.promise;
      const window = where === 'the same window' ? first : second;
      assert.equal(await window.signIns.signOut(window.connection.config), true);
      await first.connection.stop();
      const revoked = server.issuer.countOf('/revoke');
      answer.resolve();
      await waitUntil('the revocation', () => server.issuer.countOf('/revoke') > revoked);
      await call;
      await first.needsSignIn();
      assert.deepEqual(await first.kinds(), ['registration']);
      assert.equal(first.signIns.isSignedIn(first.connection.id), false);
    });
  }

  it('AUTH-33 (legacy): on two machines that share the secrets, the one that comes too late takes what the other got', async () => {
    server.endsFamilies = false;
    const values = new Map<string, string>();
    const both = [memoryPlace(), memoryPlace()].map((shared) =>
      windows.open({ store: memoryStore(values, shared) }),
    );
    for (const window of both) {
      await window.tools();
    }
    server.endTokens();
    await Promise.all(both.map(callTool));
    assert.deepEqual([server.grants('refresh_token'), server.reuses, questions()], [2, 1, 1]);
    const stored = (await both[0]?.signIns.stored()) ?? [];
    const canRefresh = stored.flatMap((item) => (item.kind === 'tokens' ? [item.canRefresh] : []));
    assert.deepEqual(canRefresh, [true]);
  });
});
