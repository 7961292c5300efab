// Signing in to servers: from "Sign In" to the tools and back, as a user does it, with a real authorization server.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { freePort } from '../support/listening.ts';
import { SignedInServer } from '../servers/signedInServer.ts';
import {
  browserStorage,
  placesThatHold,
  plant,
  plantedPlaces,
  uproot,
} from './support/browserStorage.ts';
import { askToSignIn, completeSignIn, openSignInPage } from './support/signInPages.ts';
import { variant } from './support/variant.ts';
import { eventually, inWindow, until } from './support/workbench.ts';

describe('A server behind an authorization server', () => {
  let server: SignedInServer;
  let callbackPort: number;
  const workbench = inWindow(async () => {
    callbackPort = await freePort();
    const byHand = {
      client_id: 'by-hand',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      redirect_uris: [`http://127.0.0.1:${callbackPort}/oauth/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
    };
    server = await new SignedInServer({ clients: [byHand] }).start();
    return { servers: { notes: { url: server.url } } };
  });
  const { tree, dialog, quickInput, notifications, statusBar, output, extension } = workbench;

  after(() => server.close());

  it('AUTH-03, SEC-10 (legacy): says that it needs a sign-in, and opens nothing by itself', async () => {
    await tree.expectRow('notes', 'needs you to sign in');
    assert.equal(await dialog.isOpen(), false);
    assert.equal(workbench.page.context().pages().length, 1);
    assert.equal(server.authorizations, 0);
    await eventually(
      () => tree.inlineActions('notes'),
      (actions) => assert.ok(actions.includes('Sign In'), actions.join()),
    );
    await statusBar.expect('1 to sign in to');
  });

  it('SEC-14 (legacy): shows server, issuer and permissions before the browser opens; "Cancel" is a no', async () => {
    await tree.clickRow('notes');
    const { detail, buttons } = await dialog.expect(/Sign in to the MCP server "notes"\?/);
    await tree.expectRow('notes', /^signing in…$/u);
    const issuer = new URL(server.issuer);
    assert.match(detail, new RegExp(`\\n {6}${issuer.host}\\n`));
    assert.ok(detail.includes(`Server: ${server.url}`), detail);
    assert.match(detail, /• notes:read/);
    assert.deepEqual(buttons.toSorted(), ['Cancel', 'Copy Link', 'Later', 'Review…', 'Sign In']);
    await dialog.answer('Cancel');
    await tree.expectRow('notes', /^needs you to sign in$/u);
    assert.equal(workbench.page.context().pages().length, 1);
    assert.equal(server.authorizations, 0);
    await notifications.expect([]);
  });

  variant(
    'waits for the browser, which can be cancelled in the tree and in the notification',
    async () => {
      for (const cancel of [
        () => tree.clickInlineAction('notes', 'Cancel Sign-In'),
        () => notifications.answer('Signing in to "notes"', 'Cancel'),
      ]) {
        const page = await signInPage();
        await notifications.waitFor('Signing in to "notes"');
        await tree.expectRow('notes', /^signing in…$/u);
        await statusBar.expect('signing in…');
        await cancel();
        await tree.expectRow('notes', /^needs you to sign in$/u);
        await page.close();
        await notifications.expect([]);
      }
    },
  );

  variant(
    'AUTH-34 (legacy): says what was answered and what to do, with the log one click away',
    async () => {
      const text = await refuse(await signInPage());
      assert.match(text, /^MCP server "notes": .*access_denied/);
      assert.match(text, /Sign in again and allow it, or ask whoever runs the server for access\./);
      const again = (): Promise<void> =>
        notifications.answer('did not sign you in', 'Sign In Again');
      await refuse(await signInPage(again));
      await notifications.answer('did not sign you in', 'Show Log');
      await output.waitFor('access_denied');
      await eventually(
        () => tree.inlineActions('notes'),
        (actions) => {
          assert.ok(actions.includes('Sign In'), actions.join());
          assert.ok(!actions.includes('Start Server'), actions.join());
        },
      );
    },
  );

  it('AUTH-19, AUTH-21, SEC-08 (legacy): goes from "Sign In" to the tools in the tree', async () => {
    const page = await signInPage();
    await completeSignIn(page);
    await extension.waitForServer('notes', 'ready');
    await tree.expand('notes', 'Tools');
    await tree.expectRow('readNotes');
    await page.close();
    assert.ok(server.registrations > 0);
  });

  it('AUTH-32 (legacy), FLOW-15 (2026): nothing that the window keeps has a token, a secret or a code in the clear', async () => {
    const { page } = workbench;
    const { secrets } = server;
    assert.ok(secrets.length > 2);
    await plant(page, String(secrets[0]));
    const stored = await browserStorage(page);
    await uproot(page);
    assert.deepEqual(placesThatHold(secrets, stored), plantedPlaces);
    // Here the secret storage of this editor is, sealed with a key of its server.
    assert.ok(stored.some(({ place }) => place === 'localStorage secrets.provider'));
  });

  it('AUTH-33 (legacy): is signed in after a reload of the window, without a question', async () => {
    const { authorizations, admitted } = server;
    await workbench.load();
    await extension.waitForServer('notes', 'ready', 60_000);
    assert.equal(server.authorizations, authorizations);
    assert.ok(server.admitted > admitted);
    await tree.show();
  });

  variant('shows what is stored in names and times, never in values', async () => {
    await workbench.runCommand('MCP Host: Show What Is Stored');
    await quickInput.expectItem('notes');
    const text = await quickInput.text();
    assert.ok(text.includes(`${server.url} · user settings`), text);
    assert.ok(text.includes(server.issuer), text);
    assert.match(text, /expires in \d+ min/);
    for (const secret of server.secrets) {
      assert.ok(!text.includes(secret), 'no secret is shown');
    }
    await quickInput.cancel();
  });

  variant('forgets the client registration, and keeps the tokens', async () => {
    const command = 'MCP Host: Forget This Client Registration';
    await workbench.runCommand(command);
    await quickInput.pick('notes');
    const { detail } = await dialog.expect('Forget the client registration of the server "notes"?');
    assert.ok(detail.includes(`Authorization server: ${server.issuer}`), detail);
    assert.match(detail, /The next sign-in there registers this editor again/);
    await dialog.answer('Forget');
    await workbench.runCommand(command);
    await notifications.waitFor('No client registration is stored');
    await extension.waitForServer('notes', 'ready');
    await notifications.clear();
  });

  it('signs out: the row says so, and the next start needs a sign-in', async () => {
    await signOut();
    await notifications.clear();
  });

  variant(
    'AUTH-17, AUTH-24 (legacy): comes back to "oauth.callbackPort" with a client of the settings',
    async () => {
      const { registrations } = server;
      // A window reads these settings when it loads.
      const oauth = { clientId: 'by-hand', callbackPort };
      await workbench.settings.setUser(settings(server, { oauth }));
      await workbench.load();
      await tree.expectRow('notes', /^needs you to sign in$/u);
      const page = await signInPage();
      await completeSignIn(page);
      await page.waitForURL((url) => url.port === String(callbackPort));
      await page.getByText('You are signed in').waitFor();
      await extension.waitForServer('notes', 'ready');
      await page.close();
      assert.equal(server.registrations, registrations);
      await until(
        'the port to be free again',
        () => isTaken(callbackPort),
        (taken) => !taken,
      );
    },
  );

  variant('copies the link for another browser, and is signed in by it', async () => {
    await signOut();
    await notifications.clear();
    await askToSignIn(workbench, 'notes');
    await dialog.answer('Copy Link');
    await notifications.waitFor('Copied the link to sign in at 127.0.0.2');
    await notifications.waitFor('does not know the client by-hand');
    const context = workbench.page.context();
    assert.equal(context.pages().length, 1, 'nothing is opened');
    const link = new URL(await workbench.expectClipboard(/^http/));
    assert.equal(link.searchParams.get('resource'), server.url);
    assert.equal(link.searchParams.get('code_challenge_method'), 'S256');
    const page = await context.newPage();
    await page.goto(link.href);
    await completeSignIn(page);
    await extension.waitForServer('notes', 'ready');
    await page.close();
    assert.deepEqual(placesThatHold(server.secrets, await browserStorage(workbench.page)), []);
  });

  async function signInPage(
    begin = (): Promise<void> => askToSignIn(workbench, 'notes'),
  ): Promise<Page> {
    await begin();
    return openSignInPage(workbench);
  }

  /** Says no on the page. @returns what the editor makes of it */
  async function refuse(page: Page): Promise<string> {
    await page.getByText('[ Cancel ]').click();
    const text = await notifications.waitFor('did not sign you in');
    await page.close();
    return text;
  }

  async function signOut(): Promise<void> {
    await workbench.runCommand('MCP Host: Sign Out');
    await quickInput.pick('notes');
    await notifications.waitFor('Signed out of "notes"');
    await tree.expectRow('notes', /^needs you to sign in$/u);
  }
});

async function isTaken(port: number): Promise<boolean> {
  const probe = createServer();
  const taken = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(true));
    probe.listen(port, '127.0.0.1', () => resolve(false));
  });
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return taken;
}

function settings(server: SignedInServer, more: object = {}): Readonly<Record<string, unknown>> {
  return { 'mcpHost.servers': { notes: { url: server.url, ...more } } };
}
