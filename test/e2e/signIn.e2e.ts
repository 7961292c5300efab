// Signing in to servers: from "Sign In" to the tools and back, as a user does it, with a real authorization server.
import assert from 'node:assert/strict';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { SignedInServer } from '../servers/signedInServer.ts';
import { ground } from './support/ground.ts';
import { eventually, openWorkbench, patienceMs } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('A server behind an authorization server', () => {
  let server: SignedInServer;
  let workbench: Workbench;

  before(async () => {
    server = await new SignedInServer().start();
    workbench = await openWorkbench({ userSettings: settings(server) });
    await workbench.showServers();
  });

  after(async () => {
    await workbench.close();
    await server.close();
  });

  it('AUTH-03, SEC-10: says that it needs a sign-in, and opens nothing by itself', async () => {
    await workbench.waitForRows('the server to need a sign-in', (rows) =>
      rows.some((row) => row.label === 'notes' && row.description === 'needs you to sign in'),
    );
    assert.equal(await workbench.hasDialog(), false);
    assert.equal(workbench.page.context().pages().length, 1);
    assert.equal(server.authorizations, 0);
    await eventually(
      () => workbench.inlineActions('notes'),
      (actions) => assert.ok(actions.includes('Sign In'), actions.join()),
    );
    await workbench.expectStatusBar('1 to sign in to');
    await workbench.screenshot('sign-in-needed');
  });

  it('shows server, issuer and permissions before the browser opens; "Cancel" is a no', async () => {
    await workbench.clickInlineAction('notes', 'Sign In');
    const { detail, buttons } = await workbench.dialog(/Sign in to the MCP server "notes"\?/);
    await waitForWords('signing in…');
    await workbench.screenshot('sign-in-question');
    const issuer = new URL(server.issuer);
    assert.match(detail, new RegExp(`\\n {6}${issuer.host}\\n`));
    assert.ok(detail.includes(`Server: ${new URL(server.url).origin}`), detail);
    assert.match(detail, /• notes:read/);
    assert.deepEqual(buttons.toSorted(), ['Cancel', 'Copy Link', 'Later', 'Sign In']);
    await workbench.answerDialog('Cancel');
    await waitForWords('needs you to sign in');
    assert.equal(workbench.page.context().pages().length, 1);
    assert.equal(server.authorizations, 0);
    await workbench.expectNotifications([]);
  });

  it('waits for the browser, which can be cancelled in the tree and in the notification', async () => {
    for (const cancel of [
      () => workbench.clickInlineAction('notes', 'Cancel Sign-In'),
      () => workbench.answerNotification('Signing in to "notes"', 'Cancel'),
    ]) {
      const page = await signInPage();
      await workbench.waitForNotification('Signing in to "notes"');
      await waitForWords('signing in…');
      await workbench.screenshot('sign-in-waiting');
      await cancel();
      await waitForWords('needs you to sign in');
      await page.close();
      await workbench.expectNotifications([]);
    }
  });

  it('says what the authorization server answered when it refuses', async () => {
    const page = await signInPage();
    await page.getByText('[ Cancel ]').click();
    const text = await workbench.waitForNotification('did not sign you in');
    assert.match(text, /access_denied/);
    await workbench.screenshot('sign-in-refused');
    await page.close();
  });

  it('AUTH-19, AUTH-21: goes from "Sign In" to the tools in the tree', async () => {
    const page = await signInPage(() =>
      workbench.answerNotification('did not sign you in', 'Sign In Again'),
    );
    await logIn(page);
    await workbench.waitForServer('notes', 'ready');
    await workbench.expand('notes', 'Tools');
    await workbench.waitForRows('its tool', (rows) =>
      rows.some(({ label }) => label === 'readNotes'),
    );
    await workbench.screenshot('sign-in-tools');
    await page.screenshot({ path: path.join(ground().screenshots, 'sign-in-page.png') });
    await page.close();
    assert.ok(server.registrations > 0);
  });

  it('AUTH-33: is signed in after a reload of the window, without a question', async () => {
    const { authorizations, admitted } = server;
    await workbench.load();
    await workbench.waitForServer('notes', 'ready', 60_000);
    assert.equal(server.authorizations, authorizations);
    assert.ok(server.admitted > admitted);
    await workbench.showServers();
  });

  it('shows what is stored in names and times, never in values', async () => {
    await workbench.runCommand('MCP Host: Show What Is Stored');
    await workbench.quickInput.waitForItems('what is stored', (items) =>
      items.includes(server.url),
    );
    const text = await workbench.page.locator('.quick-input-widget:visible').innerText();
    await workbench.screenshot('sign-in-stored');
    assert.ok(text.includes(server.url), text);
    assert.ok(text.includes(server.issuer), text);
    assert.match(text, /ends in \d+ min/);
    for (const secret of server.secrets) {
      assert.ok(!text.includes(secret), 'no secret is shown');
    }
    await workbench.quickInput.cancel();
  });

  it('signs out: the tokens are gone, and the next start needs a sign-in', async () => {
    await workbench.runCommand('MCP Host: Sign Out');
    await workbench.quickInput.pick('notes');
    await workbench.waitForNotification('Signed out of "notes"');
    await waitForWords('needs you to sign in');
    await workbench.screenshot('sign-in-signed-out');
    await workbench.clearNotifications();
    await workbench.load();
    await workbench.showServers();
    await waitForWords('needs you to sign in');
  });

  async function waitForWords(words: string): Promise<void> {
    await workbench.waitForRows(`notes: ${words}`, (rows) =>
      rows.some((row) => row.label === 'notes' && row.description === words),
    );
  }

  /** From "Sign In" to the page that the browser shows. */
  async function signInPage(
    begin = (): Promise<void> => workbench.clickInlineAction('notes', 'Sign In'),
  ): Promise<Page> {
    await begin();
    await workbench.dialog('Sign in to');
    const opening = workbench.page.context().waitForEvent('page', { timeout: patienceMs });
    await workbench.answerDialog('Sign In');
    // The editor asks about every site that it does not know.
    await workbench.answerDialog('Open');
    const page = await opening;
    await page.getByRole('heading', { name: 'Sign-in' }).waitFor({ timeout: patienceMs });
    return page;
  }
});

async function logIn(page: Page): Promise<void> {
  await page.locator('input[name=login]').fill('ada');
  await page.locator('input[name=password]').fill('not needed');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click({ timeout: patienceMs });
}

function settings(server: SignedInServer, more: object = {}): Readonly<Record<string, unknown>> {
  return { 'mcpHost.servers': { notes: { url: server.url, ...more } } };
}
