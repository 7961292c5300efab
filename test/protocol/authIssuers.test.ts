/** Where to sign in when there is a choice, and when the answer was a mistake. */
import assert from 'node:assert/strict';
import type { AuthScripted } from '../servers/authScripted.ts';
import { SignInWindows } from '../support/signInHarness.ts';

describe('the authorization server to sign in at', () => {
  let server: AuthScripted;
  let right: string;
  let wrong: string;
  let named: readonly string[];
  const windows = new SignInWindows();

  beforeEach(async () => {
    server = await windows.begin(['s3cret']);
    right = server.issuer.origin;
    wrong = (await windows.server()).issuer.origin;
    named = [wrong, right];
    server.resource.overrides.set('/.well-known/oauth-protected-resource/mcp', () => ({
      json: { resource: server.url, authorization_servers: named },
    }));
  });

  /** A window whose user chooses `picks` one after the other, and signs in at the right one. */
  const open = (picks: readonly string[], settings = {}) => {
    const window = windows.open({ settings });
    const asked: (readonly string[])[] = [];
    window.ui.chooseIssuer = async ({ issuers }) => picks[asked.push(issuers) - 1];
    window.ui.answer = ({ issuer }) => (issuer === right ? 'open' : 'no');
    return { window, asked };
  };

  it('AUTH-07 (legacy): is asked for when there are several, and stays', async () => {
    const { window, asked } = open([right]);
    assert.deepEqual(await window.tools(), ['a']);
    assert.deepEqual(asked, [[wrong, right]]);
    server.endTokens();
    await window.callTool();
    assert.equal(asked.length, 1);
    await window.signIns.signOut(window.connection.config);
    await window.connection.stop();
    await assert.rejects(window.connection.start(), { code: 'signInNeeded' });
    assert.equal(asked.length, 2);
  });

  it('AUTH-07 (legacy): is asked for again after one that the user declined', async () => {
    const { window, asked } = open([wrong, right]);
    await assert.rejects(window.connection.start(), { code: 'signInNeeded' });
    assert.deepEqual(await window.tools(), ['a']);
    assert.equal(asked.length, 2);
  });

  it('AUTH-07 (2026): is that of the entry where the server names it with others', async () => {
    const { window, asked } = open([], { issuer: right });
    assert.deepEqual(await window.tools(), ['a']);
    assert.deepEqual(asked, []);
  });

  it('REG-10 (2026): has the client of the entry only after the user has agreed', async () => {
    const { window } = open([], { clientId: 'mine', clientSecret: 's3cret' });
    named = [wrong];
    await assert.rejects(window.connection.start(), { code: 'signInNeeded' });
    named = [right];
    assert.deepEqual(await window.tools(), ['a']);
    named = [wrong];
    server.endTokens();
    await assert.rejects(window.callTool(), /the client "mine" .* was registered with/u);
  });
});
