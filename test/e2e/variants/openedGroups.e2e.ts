// What a person opens while its server has just started: it stays open, whatever the server and the editor's own chat
// have drawn anew meanwhile. Each line is clicked until it has opened, and not once more.
import assert from 'node:assert/strict';
import { scripted } from '../support/servers.ts';
import { succeeds } from '../support/until.ts';
import { eventually, inWindow, until } from '../support/workbench.ts';

/** From the lowest up, so that what opens moves none of the others. */
const groups = ['Resources', 'Prompts', 'Tools'];
const byHand = ['first', 'second', 'third'];

describe('A group that is opened as soon as it is there', () => {
  const entry = scripted('showcase.mjs');
  const manual = byHand.map((name) => [name, { ...entry, startup: 'manual' }]);
  const workbench = inWindow({ servers: { ...Object.fromEntries(manual), showcase: entry } });
  const { tree, extension } = workbench;

  async function openAll(): Promise<void> {
    for (const group of groups) {
      const row = tree.row(group);
      const opened = row.and(workbench.page.locator('[aria-expanded="true"]'));
      await until(
        `${group} to open`,
        async () => {
          // Of a line that is drawn anew at this moment, another one can get the click.
          await row.locator('.monaco-tl-twistie').click();
          return succeeds(opened.waitFor({ timeout: 1_000 }));
        },
        Boolean,
      );
    }
  }

  async function expectAllOpen(): Promise<void> {
    await eventually(
      () => tree.rows(),
      (rows) => {
        const open = rows.filter(({ level }, index) => level === 2 && rows[index + 1]?.level === 3);
        assert.deepEqual(open.map(({ label }) => label).toReversed(), groups);
      },
      5_000,
    );
  }

  for (const name of byHand) {
    it(`stays open: the ${name} server, started by hand`, async () => {
      await tree.collapse('showcase');
      await tree.clickInlineAction(name, 'Start Server');
      try {
        // What was stopped at first is closed when it has started.
        await tree.expand(name);
        await openAll();
        await tree.tooltip(name, 'Revision');
        await expectAllOpen();
      } finally {
        // A second try begins as the first one did.
        await tree.clickInlineAction(name, 'Stop Server');
        await extension.waitForServer(name, 'stopped');
      }
    });
  }

  for (const time of ['first', 'second']) {
    it(`stays open: the server that starts with the window, the ${time} time`, async () => {
      await workbench.load();
      // It is closed where the view was there before the server had started.
      await tree.expand('showcase');
      await openAll();
      // The last that a start brings.
      await tree.tooltip('showcase', 'prompts as /mcp.showcase.');
      await expectAllOpen();
    });
  }
});
