// What was decided and called can be read afterwards, without what it was about.
import assert from 'node:assert/strict';
import { scripted } from '../support/servers.ts';
import { inWindow } from '../support/workbench.ts';

describe('The audit log', () => {
  const workbench = inWindow({
    servers: { showcase: scripted('showcase.mjs') },
    ready: ['showcase'],
  });
  const { tree, editors, dialog, quickInput } = workbench;

  it('HOST-07, TOOL-16: a call from the tree leaves its approval and itself, with names and sizes alone', async () => {
    await tree.expand('showcase', 'Tools');
    await tree.clickInlineAction('Add a Note', 'Run Tool');
    await quickInput.expectTitle(/text/);
    await quickInput.fill('my bank is closed');
    await quickInput.clickButton('Leave the others as they are');
    await dialog.answer('Run');
    await editors.waitForText('Kept: my bank is closed');
    await workbench.runCommand('MCP Host: Open Audit Log');
    const text = await editors.waitForText('"event":"toolCall"');
    assert.match(text, /"event":"approval","outcome":"allowed","server":"showcase"/);
    assert.match(text, /"inputNames":\["text"\]/);
    assert.doesNotMatch(text, /bank/);
  });
});
