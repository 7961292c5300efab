// What was decided and called can be read afterwards, without what it was about.
import assert from 'node:assert/strict';
import { scripted } from '../support/servers.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

describe('The audit log', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      userSettings: { 'mcpHost.servers': { showcase: scripted('showcase.mjs') } },
    });
    await workbench.extension.waitForServer('showcase', 'ready');
    await workbench.tree.show();
  });

  after(() => workbench.close());

  it('HOST-07, TOOL-16: a call from the tree leaves its approval and itself, with names and sizes alone', async () => {
    await workbench.tree.expand('showcase', 'Tools');
    await workbench.tree.clickInlineAction('Add a Note', 'Run Tool');
    const { quickInput } = workbench;
    await quickInput.expectTitle(/text/);
    await quickInput.fill('my bank is closed');
    await quickInput.clickButton('Leave the others as they are');
    await quickInput.expectTitle(/Review/);
    await quickInput.accept();
    await workbench.dialog.expect();
    await workbench.dialog.answer('Run');
    await workbench.editors.waitForText('Kept: my bank is closed');
    await workbench.runCommand('MCP Host: Open Audit Log');
    const text = await workbench.editors.waitForText('"event":"toolCall"');
    await workbench.screenshot('audit-log');
    assert.match(text, /"event":"approval","outcome":"allowed","server":"showcase"/);
    assert.match(text, /"inputNames":\["text"\]/);
    assert.doesNotMatch(text, /bank/);
  });
});
