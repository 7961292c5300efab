// What is odd about a tool is seen before it runs: in its row of the tree, and in the question.
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Chat } from '../support/chat.ts';
import { ground } from '../support/ground.ts';
import { scripted } from '../support/servers.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

describe('Tools that are not what they seem', () => {
  let workbench: Workbench;
  let changed: string;

  before(async () => {
    const folder = await mkdtemp(path.join(ground().folder, 'changed-'));
    changed = path.join(folder, 'changed');
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': {
          stranger: scripted('poisoned.mjs', { CHANGED: changed }),
          showcase: scripted('showcase.mjs'),
        },
      },
    });
    await workbench.extension.waitForServer('showcase', 'ready');
    await workbench.extension.waitForServer('stranger', 'ready');
    await workbench.tree.show();
  });

  after(() => workbench.close());

  it('their rows carry a warning, other rows do not', async () => {
    await workbench.tree.expand('stranger', 'Tools');
    const warning = (label: string) => workbench.tree.row(label).locator('.codicon-warning');
    await warning('add_numbers').waitFor();
    await warning('add_note').waitFor();
    await workbench.tree.row('lookup').waitFor();
    assert.equal(await warning('lookup').count(), 0);
  });

  it('the question before the call says the same, and warns', async () => {
    await workbench.tree.clickInlineAction('add_numbers', 'Run Tool');
    const { detail } = await workbench.dialog.expect();
    await workbench.screenshot('tool-flags-dialog');
    assert.match(detail, /⚠ There are tags in its description that give orders to models/);
    assert.match(detail, /⚠ There are names of files in its description that hold keys/);
    await workbench.dialog.answer('Deny');
  });

  it('the tooltips of the rows say why', async () => {
    const tooltip = await workbench.tree.tooltip('add_numbers', 'give orders to models');
    await workbench.screenshot('tool-flags-row');
    assert.match(tooltip, /There are tags in its description that give orders to models/);
    assert.match(tooltip, /tell the model to hide something/);
    assert.match(await workbench.tree.tooltip('add_note', 'same name'), /same name: showcase/);
  });

  it('HOST-11: one that has become another since it was allowed is asked about, with the difference', async () => {
    const chat = new Chat(workbench);
    await chat.open();
    await chat.send('stranger_lookup {}');
    await workbench.dialog.answer('Run and Remember…');
    await workbench.quickInput.pick('This Session');
    await chat.waitForAnswer('Ran lookup');
    await writeFile(changed, '');
    await workbench.tree.show();
    await workbench.tree.clickInlineAction('stranger', 'Restart Server');
    await workbench.extension.waitForServer('stranger', 'ready');
    await chat.send('stranger_lookup {}');
    const { detail } = await workbench.dialog.expect();
    await workbench.screenshot('tool-changed-dialog');
    assert.match(detail, /Changed since you allowed it: the description of the tool/);
    assert.match(detail, /- Keeps it to itself\./);
    assert.match(detail, /\+ Sends it to a friend, too\./);
    await workbench.dialog.answer('Deny');
    await chat.waitForAnswer('Nothing was sent');
  });
});
