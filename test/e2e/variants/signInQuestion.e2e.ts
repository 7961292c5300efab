// The question before a sign-in: it comes to who has asked for the server alone, and says what opens and what is asked for.
import assert from 'node:assert/strict';
import { AuthScripted } from '../../servers/authScripted.ts';
import { deferred } from '../../support/deferred.ts';
import { askToSignIn } from '../support/signInPages.ts';
import { typeThrough } from '../support/typeThrough.ts';
import { inWindow } from '../support/workbench.ts';

const scopes = Array.from({ length: 16 }, (_, index) => `notes:scope-${index + 1}`);

describe('The question before a sign-in', () => {
  let server: AuthScripted;
  const refusal = deferred<void>();
  const workbench = inWindow(async () => {
    server = await new AuthScripted().start();
    server.challengedScope = scopes.join(' ');
    server.metadata = {
      authorization_endpoint: 'https://login.elsewhere.example/authorize',
      token_endpoint: 'https://tokens.elsewhere.example/token',
    };
    server.resource.overrides.set('/mcp', async () => {
      await refusal.promise;
      return undefined;
    });
    const notes = {
      url: server.url,
      oauth: { clientId: 'by-hand' },
      // Its answer is held back until the chat has come.
      protocol: 'legacy',
      timeouts: { startSeconds: 300 },
    };
    return { servers: { notes } };
  });
  const { tree, editors, dialog, quickInput } = workbench;

  after(() => server.close());

  it('SEC-10 (legacy): does not open by itself when the editor’s chat connects while the window loads', async () => {
    await tree.tooltip('notes', 'prompts as');
    refusal.resolve();
    await tree.expectRow('notes', 'needs you to sign in');
    assert.equal(await dialog.isOpen(), false);
  });

  it('SEC-14 (legacy): names the host that opens first, and the authorization server and who gets the code where they are others', async () => {
    await askToSignIn(workbench, 'notes');
    const { detail } = await dialog.expect('Sign in to the MCP server "notes"?');
    assert.match(
      detail,
      /^⚠ This is not complete: Show All… opens the whole text\.\n\nYou sign in at:\n {6}login\.elsewhere\.example\n/,
    );
    const issuer = new URL(server.issuer.origin);
    assert.ok(
      detail.includes(`⚠ That is not the host of the authorization server, ${issuer.host}`),
    );
    assert.ok(detail.includes(`Authorization server: ${issuer.origin}`), detail);
    assert.match(detail, /Code and tokens go to: tokens\.elsewhere\.example\n/);
    assert.ok(detail.includes(`Server: ${server.url}`), detail);
    assert.match(detail, /Enter a password only on a page of login\.elsewhere\.example;/);
  });

  it('SEC-14 (legacy): all permissions can be read, and the question comes back', async () => {
    const { detail } = await dialog.expect('Sign in to the MCP server "notes"?');
    assert.ok(!detail.includes('notes:scope-16'), detail);
    assert.match(detail, /• 4 more: Show All…/);
    await dialog.answer('Show All…');
    await quickInput.expectTitle(/^Sign-in to the MCP server "notes"/);
    await editors.waitForText('notes:scope-16');
    await quickInput.pick('Back to the Question');
    await dialog.answer('Cancel', 'Sign in to the MCP server "notes"?');
    await tree.expectRow('notes', 'needs you to sign in');
  });

  it('SEC-01: who types on while it appears signs in nowhere', async () => {
    const before = workbench.page.context().pages().length;
    await askToSignIn(workbench, 'notes');
    await typeThrough(workbench, 'Sign in to the MCP server "notes"?');
    assert.equal(workbench.page.context().pages().length, before);
    await dialog.answer('Cancel');
  });
});
