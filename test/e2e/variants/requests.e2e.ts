// What runs: a hint in the status bar, the view of running requests, more time for one that is near its limit, and Cancel.
import assert from 'node:assert/strict';
import type { Row } from '../support/serversTree.ts';
import { newFile } from '../support/ground.ts';
import { expectLines, published, scripted } from '../support/servers.ts';
import { eventually, inWindow, until } from '../support/workbench.ts';

describe('Requests that run', () => {
  const calls = newFile('calls.txt');
  const workbench = inWindow({
    servers: {
      archive: {
        ...scripted('showcase.mjs', { CALLS: calls }),
        timeouts: { requestSeconds: 30, totalSeconds: 30 },
      },
      everything: published('server-everything', 'stdio'),
    },
    ready: ['archive', 'everything'],
  });
  const { tree, dialog, editors, notifications, quickInput, statusBar } = workbench;

  it('VSC-24: one that takes its time is told of in the status bar, which leads to the view', async () => {
    await run('wait');
    await statusBar.expect('1 MCP request');
    const hint = workbench.page
      .locator('.part.statusbar .statusbar-item')
      .filter({ hasText: '1 MCP request' })
      .first();
    await until('the view', async () => {
      // An item that is drawn anew at this moment loses the click.
      await hint.click({ timeout: 5_000 }).catch(() => undefined);
      return tree
        .row('wait')
        .waitFor({ timeout: 5_000 })
        .then(
          () => true,
          () => false,
        );
    });
    await expectRow(/archive · \d+ s · Sorting \(\d+\/100\) · asked by you$/u);
  });

  it('TIME-02, TIME-03: near its limit the row says so; who keeps waiting starts the limit afresh', async () => {
    const { description } = await expectRow(/^\d+ s left · archive/u);
    await tree.clickInlineAction('wait', 'Keep Waiting');
    await statusBar.expect('Waiting for wait up to 30 s more');
    const [, left] = /^(\d+) s left/u.exec(description) ?? [];
    assert.ok(Number(left) <= 15, description);
    await expectRow(/^archive · \d+ s · Sorting/u);
  });

  it('CANC-01, CANC-06: Cancel reaches the server, and the row goes', async () => {
    await until(
      'the row to go',
      async () => {
        const row = tree.row('wait');
        if ((await row.count()) > 0) {
          await row.hover({ timeout: 2_000 }).catch(() => undefined);
          await row
            .locator('.actions .action-label[aria-label^="Cancel Request"]')
            .click({ timeout: 2_000 })
            .catch(() => undefined);
        }
        return (await tree.rows()).some(({ label }) => label === 'wait');
      },
      (isThere) => !isThere,
    );
    await expectLines(calls, ['wait', 'cancelled']);
    await notifications.expect([]);
    await eventually(
      () => tree.text(),
      (text) => assert.match(text, /No request to an MCP server is running\./u),
    );
  });

  it('a result does not take the focus of someone who went on to the form of another tool', async () => {
    await workbench.chooseTool('Trigger Long Running Operation Tool');
    await quickInput.expectTitle(/duration/);
    await quickInput.fill('8');
    await quickInput.clickButton('Leave the others as they are');
    await dialog.answer('Run');
    await workbench.chooseTool('Get Sum Tool');
    await quickInput.expectTitle(/a \(1\/2\)$/);
    await notifications.waitFor('the result of "Trigger Long Running Operation Tool" is there');
    await workbench.page.keyboard.type('21');
    await quickInput.expectValue('21');
    await editors.expect([]);
    await quickInput.cancel();
    await notifications.answer('is there', 'Show Result');
    await editors.waitForText('Long running operation completed');
    await workbench.closeEditors();
  });

  async function run(tool: string): Promise<void> {
    await workbench.chooseTool(tool);
    await dialog.answer('Run');
  }

  async function expectRow(description: RegExp): Promise<Row> {
    const rows = await tree.waitForRows(`a row with ${description}`, (all) =>
      all.some((row) => row.label === 'wait' && description.test(row.description)),
    );
    return rows.find(({ label }) => label === 'wait') ?? assert.fail('no row');
  }
});
