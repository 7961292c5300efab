// What is odd about a tool is seen before it runs: in its row of the tree, and in the question.
import assert from 'node:assert/strict';
import { scripted } from './support/servers.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

describe('Tools that are not what they seem', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': {
          stranger: scripted('poisoned.mjs'),
          showcase: scripted('showcase.mjs'),
        },
      },
    });
    await workbench.waitForServer('showcase', 'ready');
    await workbench.waitForServer('stranger', 'ready');
    await workbench.showServers();
  });

  after(() => workbench.close());

  it('their rows carry a warning, other rows do not', async () => {
    await workbench.expand('stranger', 'Tools');
    const warned = (label: string) => workbench.row(label).locator('.codicon-warning').count();
    assert.equal(await warned('add_numbers'), 1);
    assert.equal(await warned('add_note'), 1);
    assert.equal(await warned('lookup'), 0);
  });

  it('the question before the call says the same, and warns', async () => {
    await workbench.clickInlineAction('add_numbers', 'Run Tool');
    await workbench.quickInput.fill('{}');
    await workbench.quickInput.accept();
    const { detail } = await workbench.dialog();
    await workbench.screenshot('tool-flags-dialog');
    assert.match(detail, /⚠ There are tags in its description that give orders to models/);
    assert.match(detail, /⚠ There are names of files in its description that hold keys/);
    await workbench.answerDialog('Deny');
  });

  it('the tooltips of the rows say why', async () => {
    const tooltip = await workbench.tooltip('add_numbers', 'give orders to models');
    await workbench.screenshot('tool-flags-row');
    assert.match(tooltip, /There are tags in its description that give orders to models/);
    assert.match(tooltip, /tell the model to hide something/);
    assert.match(await workbench.tooltip('add_note', 'same name'), /same name: showcase/);
  });
});
