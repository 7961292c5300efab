// The extension is uninstalled while its servers run: once the editor lets go of it, nothing of them is left.
import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { type OwnServer, startOwnServer, stopOwnServer } from '../support/ownServer.ts';
import { ground, newFolder } from '../support/ground.ts';
import { isAlive, pidsIn, scripted, untilGone } from '../support/servers.ts';
import { inWindow, patienceMs, until } from '../support/workbench.ts';

describe('The extension is uninstalled', () => {
  const folder = newFolder();
  const pids = path.join(folder, 'pids');
  let server: OwnServer;
  const workbench = inWindow(async () => {
    const extensions = path.join(folder, 'extensions');
    await cp(ground().extensions, extensions, { recursive: true });
    server = await startOwnServer(path.join(folder, 'editor'), extensions);
    return {
      server,
      servers: { unwilling: scripted('unwilling.mjs', { PIDS: pids }) },
      ready: ['unwilling'],
    };
  });

  after(() => stopOwnServer(server));

  it('STDIO-07: a server that ignores the end of its input and SIGTERM is gone, and its child, and so is the view', async () => {
    const before = await pidsIn(pids, 2);
    assert.ok(before.every(isAlive));
    await workbench.runCommand('Extensions: Show Installed Extensions');
    const { page } = workbench;
    const editor = page.locator('.extension-editor');
    await until('the page of the extension', async () => {
      const row = page.locator('.extension-list-item').filter({ hasText: 'MCP Host' }).first();
      await row.click({ timeout: 5_000 }).catch(() => undefined);
      return editor.isVisible();
    });
    await click('Uninstall');
    await click(/^(?:Restart Extensions|Reload Window)$/u);
    await untilGone(before, patienceMs);
    const view = page.locator('.activitybar .action-item [aria-label^="MCP"]');
    await until(
      'the view to be gone',
      async () => view.count(),
      (count) => count === 0,
    );
    assert.deepEqual((await pidsIn(pids, 2)).filter(isAlive), []);

    async function click(label: RegExp | string): Promise<void> {
      const button = editor.locator('.action-label').getByText(label, { exact: true }).first();
      await until(
        `a click on ${label}`,
        async () =>
          button.click({ timeout: 5_000 }).then(
            () => true,
            () => false,
          ),
        Boolean,
      );
    }
  });
});
