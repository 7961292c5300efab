// Signing in with an account of the editor, and servers that a folder's settings name: nothing opens by itself.
import assert from 'node:assert/strict';
import { SignedInServer } from '../servers/signedInServer.ts';
import { browserStorage, placesThatHold } from './support/browserStorage.ts';
import { askToSignIn } from './support/signInPages.ts';
import { variant } from './support/variant.ts';
import { eventually, openWorkbench, patienceMs } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const question = 'Use your MCP Host Demo account for the MCP server "notes"?';

describe('A server with an account of the editor, and one of a folder', () => {
  let server: SignedInServer;
  let ofFolder: SignedInServer;
  let workbench: Workbench;

  before(async () => {
    server = await new SignedInServer().start();
    ofFolder = await new SignedInServer().start();
    const notes = { url: server.url, oauth: { provider: 'mcp-host-demo' } };
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': { notes, lazy: { ...notes, startup: 'onDemand' } },
        'mcpHostDemo.accountUrl': server.accountUrl,
      },
      workspaceSettings: { 'mcpHost.servers': { team: { url: ofFolder.url } } },
    });
    await workbench.tree.show();
  });

  after(async () => {
    await workbench.close();
    await server.close();
    await ofFolder.close();
  });

  it('SEC-10 (legacy): neither opens or asks anything by itself, nor is the one of the folder contacted', async () => {
    await waitForWords('notes', 'needs you to sign in');
    await waitForWords('team', 'needs your consent · workspace');
    await workbench.screenshot('sign-in-folder');
    assert.equal(await workbench.dialog.isOpen(), false);
    assert.equal(workbench.page.context().pages().length, 1);
    assert.deepEqual([ofFolder.requests, ofFolder.authorizations], [0, 0]);
  });

  it('VSC-14, SEC-14 (legacy): asks whether the server may have a token of the account, then the editor asks', async () => {
    await askToSignIn(workbench, 'notes');
    const { detail } = await workbench.dialog.expect(question);
    await workbench.screenshot('sign-in-account-question');
    assert.ok(detail.includes(`      ${new URL(server.url).host}\n`), detail);
    assert.match(detail, /• notes:read/);
    await workbench.dialog.answer('Allow');
    // The editor's own question, without a headline.
    await workbench.page
      .locator('.monaco-dialog-box')
      .getByText("The extension 'MCP Host' wants to sign in using MCP Host Demo.")
      .waitFor({ timeout: patienceMs });
    await workbench.screenshot('sign-in-account-editor');
    await workbench.dialog.answer('Allow');
    await workbench.extension.waitForServer('notes', 'ready');
    await workbench.tree.expand('notes', 'Tools');
    await workbench.tree.waitForRows('its tool', (rows) =>
      rows.some(({ label }) => label === 'readNotes'),
    );
    await workbench.screenshot('sign-in-account-tools');
    assert.deepEqual([server.authorizations, server.registrations], [0, 0]);
  });

  it('FLOW-15 (2026): the token of the account is kept nowhere', async () => {
    assert.equal(server.secrets.length, 1);
    assert.deepEqual(placesThatHold(server.secrets, await browserStorage(workbench.page)), []);
  });

  it('VSC-15: "Manage Account Access" lists it by name, and takes the account back from this server', async () => {
    await workbench.runCommand('MCP Host: Manage Account Access…');
    await workbench.quickInput.waitForItems('the server', (items) => items.includes('notes'));
    const text = await workbench.page.locator('.quick-input-widget:visible').innerText();
    await workbench.screenshot('sign-in-account-access');
    assert.ok(text.includes(`${server.url} · user settings`), text);
    assert.match(text, /may use the account "ada@example\.com" of mcp-host-demo/);
    assert.match(text, /permissions: notes:read/);
    await workbench.quickInput.pick('notes');
    await workbench.dialog.expect(
      'Revoke the access of the server "notes" to the account "ada@example.com"?',
    );
    await workbench.screenshot('sign-in-account-revoke');
    await workbench.dialog.answer('Revoke');
    await waitForWords('notes', 'needs you to sign in');
    await workbench.runCommand('MCP Host: Manage Account Access…');
    await workbench.notifications.waitFor('No MCP server has access to an account of the editor.');
    await workbench.notifications.clear();
  });

  variant('is asked anew after that', async () => {
    await askToSignIn(workbench, 'notes');
    // By name: the editor gives this account to the extension without asking again.
    await workbench.dialog.expect(
      'Use your MCP Host Demo account "ada@example.com" for the MCP server "notes"?',
    );
    await workbench.dialog.answer('Allow');
    await workbench.extension.waitForServer('notes', 'ready');
  });

  variant(
    'SEC-10 (legacy): a line that stays open when its server is signed out of asks nothing by itself',
    async () => {
      await workbench.tree.clickInlineAction('lazy', 'Start Server');
      await workbench.dialog.expect(/for the MCP server "lazy"\?/);
      await workbench.dialog.answer('Allow');
      await workbench.extension.waitForServer('lazy', 'ready');
      await workbench.tree.expand('lazy', 'Tools');
      await workbench.runCommand('MCP Host: Sign Out');
      await workbench.quickInput.pick('lazy');
      await workbench.notifications.waitFor('Signed out of "lazy"');
      await waitForWords('lazy', 'needs you to sign in');
      await eventually(
        () => workbench.tree.inlineActions('lazy'),
        (actions) => assert.ok(actions.includes('Sign In'), actions.join()),
      );
      // A command is not reached past a dialog.
      await workbench.notifications.clear();
      assert.equal(await workbench.dialog.isOpen(), false);
      await waitForWords('lazy', 'needs you to sign in');
    },
  );

  variant(
    'SEC-10 (legacy): the one of the folder is asked about twice: whether it may be contacted, and the sign-in',
    async () => {
      await workbench.tree.clickInlineAction('team', 'Start Server');
      const first = await workbench.dialog.expect('Connect to the MCP server "team"');
      assert.ok(first.detail.includes(ofFolder.url), first.detail);
      assert.equal(ofFolder.requests, 0);
      await workbench.dialog.answer('Allow');
      await workbench.dialog.expect('Sign in to the MCP server "team"?');
      await workbench.dialog.answer('Cancel');
      await waitForWords('team', 'needs you to sign in · workspace');
      assert.equal(ofFolder.authorizations, 0);
    },
  );

  async function waitForWords(name: string, words: string): Promise<void> {
    await workbench.tree.waitForRows(`${name}: ${words}`, (rows) =>
      rows.some((row) => row.label === name && row.description === words),
    );
  }
});
