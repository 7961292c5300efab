import assert from 'node:assert/strict';
import {
  AccountAccess,
  covers,
  knownAccountOf,
} from '../../../../src/host/signIn/accountAccess.ts';
import { userEntry } from '../../../support/memoryStore.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';

const grant = { owner: userEntry, provider: 'github', account: 'octocat', scopes: ['repo'] };
const other = { ...userEntry, scope: 'workspace file:///w' };

describe('AccountAccess', () => {
  it('knows which server has which account, until that is taken back', async () => {
    const access = new AccountAccess(new FakeMemory());
    await access.allow(grant);
    assert.deepEqual(access.grantOf(userEntry), grant);
    assert.deepEqual(access.grantOf(userEntry, 'github'), grant);
    assert.equal(access.grantOf(userEntry, 'microsoft'), undefined);
    for (const part of ['scope', 'server', 'url', 'route'] as const) {
      assert.equal(access.grantOf({ ...userEntry, [part]: 'another' }), undefined, part);
    }
    await access.revoke({ ...grant, provider: 'microsoft' });
    await access.revoke({ ...grant, owner: other });
    assert.deepEqual(access.list(), [grant]);
    await access.revoke(grant);
    assert.deepEqual(access.list(), []);
  });

  it('has one account of a provider for a server, the last one', async () => {
    const access = new AccountAccess(new FakeMemory());
    await access.allow(grant);
    await access.allow({ ...grant, account: 'hubot' });
    await access.allow({ ...grant, provider: 'microsoft', account: 'me' });
    assert.deepEqual(
      access.list().map(({ account }) => account),
      ['hubot', 'me'],
    );
  });

  it('loses nothing when two are written at once, and survives a memory of another shape', async () => {
    const access = new AccountAccess(new FakeMemory());
    await Promise.all([access.allow(grant), access.allow({ ...grant, owner: other })]);
    assert.equal(access.list().length, 2);
    const odd = new FakeMemory();
    await odd.set('mcpHost.accountAccess', [
      null,
      5,
      { provider: 'x' },
      { ...grant, owner: { server: 'notes' } },
      { ...grant, scopes: 'repo' },
      grant,
    ]);
    assert.deepEqual(new AccountAccess(odd).list(), [grant]);
  });
});

describe('covers', () => {
  const yes = { scopes: ['read:user', 'repo', 'VSCODE_TENANT:1'], account: 'octocat' };

  it('takes what was shown or less of it, with the same parameters and the same account', () => {
    for (const [scopes, account, isCovered] of [
      [yes.scopes, 'octocat', true],
      [yes.scopes, undefined, true],
      [['repo', 'VSCODE_TENANT:1'], 'octocat', true],
      [[...yes.scopes, 'delete_repo'], 'octocat', false],
      [['repo', 'VSCODE_TENANT:2'], 'octocat', false],
      [['repo'], 'octocat', false],
      [[...yes.scopes, 'VSCODE_CLIENT_ID:1'], 'octocat', false],
      [yes.scopes, 'hubot', false],
    ] as const) {
      assert.equal(covers(yes, scopes, account), isCovered, `${scopes.join(' ')} ${account}`);
    }
  });

  it('takes any account where the user was yet to choose one', () => {
    assert.equal(covers({ scopes: [] }, [], 'hubot'), true);
  });
});

const tenant = 'VSCODE_TENANT:72f988bf-86f1-41af-91ab-2d7cd011db47';

describe('knownAccountOf', () => {
  for (const [issuer, provider, scopes] of [
    ['https://github.com/login/oauth', 'github', []],
    ['https://github.com/login/oauth/', 'github', []],
    ['https://login.microsoftonline.com/common/v2.0', 'microsoft', []],
    ['https://login.microsoftonline.com/organizations/v2.0/', 'microsoft', []],
    [
      'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0',
      'microsoft',
      [tenant],
    ],
    [
      'https://login.microsoftonline.com/contoso.example/v2.0',
      'microsoft',
      ['VSCODE_TENANT:contoso.example'],
    ],
  ] as const) {
    it(`${issuer} is of ${provider}`, () => {
      assert.deepEqual(knownAccountOf(issuer), { provider, scopes });
    });
  }

  for (const issuer of [
    'http://github.com/login/oauth',
    'https://github.com',
    'https://github.com/login/oauth/evil',
    'https://github.com.evil.example/login/oauth',
    'https://evil.example/https://github.com/login/oauth',
    'https://github.com:8443/login/oauth',
    'https://GITHUB.com@evil.example/login/oauth',
    'https://login.microsoftonline.com/v2.0',
    'https://login.microsoftonline.com/a b/v2.0',
    'https://login.microsoftonline.com/x/y/v2.0',
    'https://login.microsoftonline.com.evil.example/common/v2.0',
    '',
  ]) {
    it(`"${issuer}" is of nobody: no account of the editor is offered to it`, () => {
      assert.equal(knownAccountOf(issuer), undefined);
    });
  }
});
