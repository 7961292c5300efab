// Signing in with an account of the editor, and servers that a folder's settings name: nothing opens by itself.
import assert from 'node:assert/strict';
import { SignedInServer } from '../servers/signedInServer.ts';
import { browserStorage, placesThatHold } from './support/browserStorage.ts';
import { askToSignIn } from './support/signInPages.ts';
import { variant } from './support/variant.ts';
import { eventually, inWindow, patienceMs } from './support/workbench.ts';

const question = 'Use your MCP Host Demo account for the MCP server "notes"?';

describe('A server with an account of the editor, and one of a folder', () => {
  let server: SignedInServer;
  let ofFolder: SignedInServer;
  const workbench = inWindow(async () => {
    server = await new SignedInServer().start();
    ofFolder = await new SignedInServer().start();
    const notes = { url: server.url, oauth: { provider: 'mcp-host-demo' } };
    return {
      servers: { notes, lazy: { ...notes, startup: 'onDemand' } },
      userSettings: { 'mcpHostDemo.accountUrl': server.accountUrl },
      workspaceServers: { team: { url: ofFolder.url } },
    };
  });
  const { tree, dialog, quickInput, notifications, extension } = workbench;

  after(async () => {
    await server.close();
    await ofFolder.close();
  });

  it('SEC-10 (legacy): neither opens or asks anything by itself, nor is the one of the folder contacted', async () => {
    await tree.expectRow('notes', /^needs you to sign in$/u);
    await tree.expectRow('team', /^needs your consent · workspace$/u);
    assert.equal(await dialog.isOpen(), false);
    assert.equal(workbench.page.context().pages().length, 1);
    assert.deepEqual([ofFolder.requests, ofFolder.authorizations], [0, 0]);
  });

  it('VSC-14, SEC-14 (legacy): asks whether the server may have a token of the account, then the editor asks', async () => {
    await askToSignIn(workbench, 'notes');
    const { detail } = await dialog.expect(question);
    assert.ok(detail.includes(`      ${new URL(server.url).host}\n`), detail);
    assert.match(detail, /• notes:read/);
    await dialog.answer('Allow');
    // The editor's own question, without a headline.
    await workbench.page
      .locator('.monaco-dialog-box')
      .getByText("The extension 'MCP Host' wants to sign in using MCP Host Demo.")
      .waitFor({ timeout: patienceMs });
    await dialog.answer('Allow');
    await extension.waitForServer('notes', 'ready');
    await tree.expand('notes', 'Tools');
    await tree.expectRow('readNotes');
    assert.deepEqual([server.authorizations, server.registrations], [0, 0]);
  });

  it('FLOW-15 (2026): the token of the account is kept nowhere', async () => {
    assert.equal(server.secrets.length, 1);
    assert.deepEqual(placesThatHold(server.secrets, await browserStorage(workbench.page)), []);
  });

  it('VSC-15: "Manage Account Access" lists it by name, and takes the account back from this server', async () => {
    await workbench.runCommand('MCP Host: Manage Account Access…');
    await quickInput.expectItem('notes');
    const text = await quickInput.text();
    assert.ok(text.includes(`${server.url} · user settings`), text);
    assert.match(text, /may use the account "ada@example\.com" of mcp-host-demo/);
    assert.match(text, /permissions: notes:read/);
    await quickInput.pick('notes');
    await dialog.expect(
      'Revoke the access of the server "notes" to the account "ada@example.com"?',
    );
    await dialog.answer('Revoke');
    await tree.expectRow('notes', /^needs you to sign in$/u);
    await workbench.runCommand('MCP Host: Manage Account Access…');
    await notifications.waitFor('No MCP server has access to an account of the editor.');
    await notifications.clear();
  });

  variant('is asked anew after that', async () => {
    await askToSignIn(workbench, 'notes');
    // By name: the editor gives this account to the extension without asking again.
    await dialog.expect(
      'Use your MCP Host Demo account "ada@example.com" for the MCP server "notes"?',
    );
    await dialog.answer('Allow');
    await extension.waitForServer('notes', 'ready');
  });

  variant(
    'SEC-10 (legacy): a line that stays open when its server is signed out of asks nothing by itself',
    async () => {
      await tree.clickInlineAction('lazy', 'Start Server');
      await dialog.answer('Allow', /for the MCP server "lazy"\?/);
      await extension.waitForServer('lazy', 'ready');
      await tree.expand('lazy', 'Tools');
      await workbench.runCommand('MCP Host: Sign Out');
      await quickInput.pick('lazy');
      await notifications.waitFor('Signed out of "lazy"');
      await tree.expectRow('lazy', /^needs you to sign in$/u);
      await eventually(
        () => tree.inlineActions('lazy'),
        (actions) => assert.ok(actions.includes('Sign In'), actions.join()),
      );
      // A command is not reached past a dialog.
      await notifications.clear();
      assert.equal(await dialog.isOpen(), false);
      await tree.expectRow('lazy', /^needs you to sign in$/u);
    },
  );

  variant(
    'SEC-10 (legacy): the one of the folder is asked about twice: whether it may be contacted, and the sign-in',
    async () => {
      await tree.clickInlineAction('team', 'Start Server');
      const first = await dialog.expect('Connect to the MCP server "team"');
      assert.ok(first.detail.includes(ofFolder.url), first.detail);
      assert.equal(ofFolder.requests, 0);
      await dialog.answer('Allow');
      await dialog.answer('Cancel', 'Sign in to the MCP server "team"?');
      await tree.expectRow('team', /^needs you to sign in · workspace$/u);
      assert.equal(ofFolder.authorizations, 0);
    },
  );
});
