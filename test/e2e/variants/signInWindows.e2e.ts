// Two windows of one browser that are signed in to one server, whose refresh tokens are good once.
import assert from 'node:assert/strict';
import { SignedInServer } from '../../servers/signedInServer.ts';
import { askToSignIn, completeSignIn, openSignInPage } from '../support/signInPages.ts';
import { eventually, openWorkbench, type Workbench } from '../support/workbench.ts';

describe('Two windows that are signed in to one server', () => {
  let server: SignedInServer;
  let first: Workbench;
  let second: Workbench;

  before(async () => {
    server = await new SignedInServer({ tokenDelayMs: 3_000 }).start();
    const userSettings = { 'mcpHost.servers': { notes: { url: server.url } } };
    first = await openWorkbench({ userSettings });
    await first.tree.show();
    await askToSignIn(first, 'notes');
    const page = await openSignInPage(first);
    await completeSignIn(page);
    await first.extension.waitForServer('notes', 'ready');
    await page.close();
    second = await first.openBeside();
    await second.extension.waitForServer('notes', 'ready');
  });

  after(async () => {
    await second.close();
    await first.close();
    await server.close();
  });

  for (const round of [1, 2]) {
    it(`AUTH-33 (legacy): renew together and both stay signed in: ${round}`, async () => {
      const { authorizations, renewals } = server;
      server.endTokens();
      await Promise.all(
        [first, second].map(async (window) => {
          const { admitted } = server;
          await window.page.reload();
          await window.tree.show();
          await window.tree.waitForRows('the server to be there', (rows) =>
            rows.some(({ label }) => label === 'notes'),
          );
          await eventually(
            () => window.tree.rows(),
            (rows) => {
              const row = rows.find(({ label }) => label === 'notes');
              assert.doesNotMatch(row?.description ?? '', /sign|start|wait/u);
              assert.ok(server.admitted > admitted);
            },
          );
        }),
      );
      assert.equal(server.refusedGrants, 0);
      assert.equal(server.renewals, renewals + 1);
      assert.equal(server.authorizations, authorizations);
    });
  }
});
