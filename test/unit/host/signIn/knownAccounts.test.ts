import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { knownAccountOf } from '../../../../src/host/signIn/knownAccounts.ts';

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
