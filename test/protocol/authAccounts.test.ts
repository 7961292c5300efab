/** What a yes to an account of the editor covers: the server, the account, and the permissions and parameters that were shown. */
import assert from 'node:assert/strict';
import { type AuthScripted, mcpAnswer } from '../servers/authScripted.ts';
import { FakeMemory } from '../support/fakeApprovals.ts';
import { memoryStore } from '../support/memoryStore.ts';
import { type SignInWindow, SignInWindows, type WindowOptions } from '../support/signInHarness.ts';

const token = 'token-of-the-editor-account';

/** Of the accounts that the user was asked about. */
const accountsOf = ({ ui }: SignInWindow): readonly unknown[] =>
  ui.subjects.map(({ by }) => by.kind === 'account' && by.account);

describe('an account of the editor', () => {
  let server: AuthScripted;
  let kept: Pick<WindowOptions, 'store' | 'memory'>;
  const windows = new SignInWindows();

  const open = (): SignInWindow => {
    const window = windows.open(kept);
    window.ui.accounts.set(server.issuer.origin, token);
    return window;
  };

  /** A window in which the user has said yes to `scope`, with the account `octocat`. */
  const allow = async (scope: string): Promise<void> => {
    server.challengedScope = scope;
    const window = open();
    assert.deepEqual(await window.tools(), ['a']);
    assert.equal(window.ui.subjects.length, 1);
    await window.close();
  };

  beforeEach(async () => {
    server = await windows.begin();
    server.secrets.add(token);
    server.resource.overrides.set('/mcp', (asked) =>
      asked.headers.authorization === `Bearer ${token}` ? mcpAnswer(asked) : server.challenge(),
    );
    kept = { store: memoryStore(), memory: new FakeMemory() };
  });

  it('a yes to "read:user" gives nothing for "repo": a start that may ask nobody needs a sign-in', async () => {
    await allow('read:user');
    server.challengedScope = 'repo';
    const window = open();
    await window.needsSignIn();
    assert.deepEqual(window.ui.accountRequests, [], 'nor is the editor asked');
    assert.equal(window.ui.subjects.length, 0);
    assert.deepEqual(await window.tools(), ['a']);
    assert.deepEqual(window.ui.subjects[0]?.scopes, ['repo']);
    assert.deepEqual(window.ui.subjects[0]?.by, {
      kind: 'account',
      label: `Provider ${server.issuer.origin}`,
      account: 'octocat',
    });
  });

  it('another account asks again, by its name', async () => {
    await allow('repo');
    const window = open();
    window.ui.silentAccount = 'hubot';
    await window.needsSignIn();
    assert.deepEqual(await window.tools(), ['a']);
    assert.deepEqual(accountsOf(window), ['hubot']);
    const stored = await window.signIns.stored();
    assert.deepEqual(
      stored.flatMap((item) => (item.kind === 'account' ? [[item.account, item.scopes]] : [])),
      [['hubot', ['repo']]],
    );
  });

  it('one that the editor has the user choose is not given for another one that was allowed', async () => {
    await allow('repo');
    const window = open();
    window.ui.silentAccount = undefined;
    window.ui.chosenAccount = 'hubot';
    window.ui.answer = () => 'no';
    await assert.rejects(window.connection.start(), { code: 'signInNeeded' });
    assert.deepEqual(accountsOf(window), ['hubot']);
    assert.ok(server.resource.asked.slice(-1).every(({ headers }) => !headers.authorization));
  });

  it('is asked about once where the editor then asks which', async () => {
    server.challengedScope = 'repo';
    const window = open();
    window.ui.silentAccount = undefined;
    assert.deepEqual(await window.tools(), ['a']);
    assert.deepEqual(accountsOf(window), [undefined]);
  });

  it('a session with more permissions than were asked for is not taken unseen: they are asked about', async () => {
    await allow('repo');
    const window = open();
    window.ui.sessionScopes = ['repo', 'delete_repo'];
    await window.needsSignIn();
    assert.ok(server.resource.asked.slice(-1).every(({ headers }) => !headers.authorization));
    assert.deepEqual(await window.tools(), ['a']);
    assert.deepEqual(
      window.ui.subjects.map(({ scopes }) => scopes),
      [['repo', 'delete_repo']],
    );
    await window.close();
    const next = open();
    next.ui.sessionScopes = ['delete_repo', 'repo'];
    await next.startsUnasked();
    assert.equal(next.ui.subjects.length, 0);
  });

  it('a session that says nothing of a parameter is still the one that was asked for', async () => {
    server.challengedScope = 'repo VSCODE_CLIENT_ID:0000';
    const window = open();
    window.ui.sessionScopes = ['repo'];
    assert.deepEqual(await window.tools(), ['a']);
    assert.equal(window.ui.subjects.length, 1);
  });

  for (const nothing of ['', 'offline_access', 'VSCODE_CLIENT_ID:0000 offline_access']) {
    it(`no editor is asked for "${nothing}": it would give any token that it has`, async () => {
      server.challengedScope = nothing;
      const window = open();
      await assert.rejects(window.connection.start(), {
        code: 'invalidConfig',
        message: /names no permissions.*"oauth\.scopes"/u,
      });
      assert.deepEqual(window.ui.accountRequests, []);
      assert.equal(window.ui.subjects.length, 0);
    });
  }
});
