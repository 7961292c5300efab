// What a person opens while its server has just started: it stays open, whatever the server and the editor's own chat
// have drawn anew meanwhile. Each line is clicked once.
import assert from 'node:assert/strict';
import { scripted } from '../support/servers.ts';
import { eventually, inWindow } from '../support/workbench.ts';

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
      await tree.row(group).locator('.monaco-tl-twistie').click();
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
