// What a person opens while its server has just started: it stays open, whatever the server and the editor's own chat
// have drawn anew meanwhile. Each line is clicked once.
import assert from 'node:assert/strict';
import { scripted } from '../support/servers.ts';
import { eventually, openWorkbench } from '../support/workbench.ts';
import type { Workbench } from '../support/workbench.ts';

/** From the lowest up, so that what opens moves none of the others. */
const groups = ['Resources', 'Prompts', 'Tools'];
const byHand = ['first', 'second', 'third'];

describe('A group that is opened as soon as it is there', () => {
  let workbench: Workbench;

  before(async () => {
    const entry = scripted('showcase.mjs');
    const manual = byHand.map((name) => [name, { ...entry, startup: 'manual' }]);
    workbench = await openWorkbench({
      userSettings: { 'mcpHost.servers': { ...Object.fromEntries(manual), showcase: entry } },
    });
    await workbench.tree.show();
  });

  after(() => workbench.close());

  async function openAll(): Promise<void> {
    for (const group of groups) {
      await workbench.tree.row(group).locator('.monaco-tl-twistie').click();
    }
  }

  async function expectAllOpen(): Promise<void> {
    await eventually(
      () => workbench.tree.rows(),
      (rows) => {
        const open = rows.filter(({ level }, index) => level === 2 && rows[index + 1]?.level === 3);
        assert.deepEqual(open.map(({ label }) => label).toReversed(), groups);
      },
      5_000,
    );
  }

  for (const name of byHand) {
    it(`stays open: the ${name} server, started by hand`, async () => {
      await workbench.tree.collapse('showcase');
      await workbench.tree.clickInlineAction(name, 'Start Server');
      try {
        // What was stopped at first is closed when it has started.
        await workbench.tree.expand(name);
        await openAll();
        await workbench.tree.tooltip(name, 'Revision');
        await expectAllOpen();
        await workbench.screenshot(`opened-groups-${name}`);
      } finally {
        // A second try begins as the first one did.
        await workbench.tree.clickInlineAction(name, 'Stop Server');
        await workbench.extension.waitForServer(name, 'stopped');
      }
    });
  }

  for (const time of ['first', 'second']) {
    it(`stays open: the server that starts with the window, the ${time} time`, async () => {
      await workbench.load();
      await workbench.tree.show();
      // It is closed where the view was there before the server had started.
      await workbench.tree.expand('showcase');
      await openAll();
      // The last that a start brings.
      await workbench.tree.tooltip('showcase', 'prompts as /mcp.showcase.');
      await expectAllOpen();
      await workbench.screenshot(`opened-groups-window-${time}`);
    });
  }
});
