// What is odd about a tool is seen before it runs: in its row of the tree, and in the question.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { newFile } from '../support/ground.ts';
import { scripted } from '../support/servers.ts';
import { inWindow } from '../support/workbench.ts';

describe('Tools that are not what they seem', () => {
  const changed = newFile('changed');
  const workbench = inWindow({
    servers: {
      stranger: scripted('poisoned.mjs', { CHANGED: changed }),
      showcase: scripted('showcase.mjs'),
    },
    ready: ['showcase', 'stranger'],
  });
  const { tree, dialog, quickInput, extension, chat } = workbench;

  it('their rows carry a warning, other rows do not', async () => {
    await tree.expand('stranger', 'Tools');
    const warning = (label: string) => tree.row(label).locator('.codicon-warning');
    await warning('add_numbers').waitFor();
    await warning('add_note').waitFor();
    await tree.row('lookup').waitFor();
    assert.equal(await warning('lookup').count(), 0);
  });

  it('the question before the call says the same, and warns', async () => {
    await tree.clickInlineAction('add_numbers', 'Run Tool');
    const { detail } = await dialog.expect();
    assert.match(detail, /⚠ There are tags in its description that give orders to models/);
    assert.match(detail, /⚠ There are names of files in its description that hold keys/);
    await dialog.answer('Deny');
  });

  it('the tooltips of the rows say why', async () => {
    const tooltip = await tree.tooltip('add_numbers', 'give orders to models');
    assert.match(tooltip, /There are tags in its description that give orders to models/);
    assert.match(tooltip, /tell the model to hide something/);
    assert.match(await tree.tooltip('add_note', 'same name'), /same name: showcase/);
  });

  it('HOST-11: one that has become another since it was allowed is asked about, with the difference', async () => {
    await chat.open();
    await chat.send('stranger_lookup {}');
    await dialog.answer('Run and Remember…');
    await quickInput.pick('This Session');
    await chat.waitForAnswer('Ran lookup');
    await writeFile(changed, '');
    await tree.show();
    await tree.clickInlineAction('stranger', 'Restart Server');
    await extension.waitForServer('stranger', 'ready');
    await chat.send('stranger_lookup {}');
    const { detail } = await dialog.expect();
    assert.match(detail, /Changed since you allowed it: the description of the tool/);
    assert.match(detail, /- Keeps it to itself\./);
    assert.match(detail, /\+ Sends it to a friend, too\./);
    await dialog.answer('Deny');
    await chat.waitForAnswer('Nothing was sent');
  });
});
