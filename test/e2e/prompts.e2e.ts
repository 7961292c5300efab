// Prompts from the tree and the palette: arguments with completion, the preview, and where the messages go.
import assert from 'node:assert/strict';
import { published } from './support/servers.ts';
import { variant } from './support/variant.ts';
import { eventually, openWorkbench, until } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const useIn = ['Use in Chat', 'Copy', 'Open as Document'];

describe('Prompts', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': { everything: published('server-everything', 'stdio') },
      },
      files: { 'notes.txt': 'Atlantis\n' },
    });
    await workbench.extension.waitForServer('everything', 'ready');
    await workbench.tree.show();
    await workbench.tree.expand('everything', 'Prompts');
  });

  after(() => workbench.close());

  it('PROM-02, PROM-05: a prompt without arguments shows its messages before anything is done with them', async () => {
    await workbench.tree.clickRow('Simple Prompt');
    await workbench.quickInput.waitForItems('the choices', (items) => items.length === 3);
    const text = await workbench.editors.waitForText('This is a simple prompt');
    assert.match(text, /# User/);
    assert.match(text, /everything/);
    await workbench.screenshot('prompt-preview');
    await workbench.quickInput.expectItems(useIn);
    await workbench.quickInput.cancel();
    await workbench.editors.expect([]);
  });

  it('PROM-03, PROM-08: asks for required and optional arguments, with Back', async () => {
    const { quickInput } = workbench;
    await workbench.tree.clickRow('Arguments Prompt');
    await quickInput.waitFor();
    await quickInput.expectTitle(/everything: Arguments Prompt.*\(1\/2\)/s);
    await workbench.screenshot('prompt-argument-required');
    await quickInput.accept(); // nothing typed: a required argument stays
    await quickInput.expectTitle(/\(1\/2\)/);
    await quickInput.enter('Paris');
    await quickInput.expectTitle(/\(2\/2\)/);
    await quickInput.waitForItems('a way out', (items) => items.includes('Leave empty'));
    await workbench.screenshot('prompt-argument-optional');
    await workbench.page.locator('.quick-input-titlebar [aria-label*="Back"]').first().click();
    await quickInput.expectTitle(/\(1\/2\)/);
    await quickInput.expectValue('Paris');
    await quickInput.enter('Rome');
    await quickInput.pick('Leave empty');
    await quickInput.waitForItems('the choices', (items) => items.includes('Change Arguments'));
    await workbench.editors.waitForText("What's weather in Rome?");
  });

  it('PROM-08: arguments can be changed from the preview', async () => {
    const { quickInput } = workbench;
    await quickInput.pick('Change Arguments');
    await quickInput.expectTitle(/\(1\/2\)/);
    await quickInput.expectValue('Rome');
    await quickInput.enter('Oslo');
    await quickInput.waitForItems('the second step', (items) => items.includes('Leave empty'));
    await quickInput.enter('Viken');
    await workbench.editors.waitForText("What's weather in Oslo, Viken?");
    await quickInput.pick('Open as Document');
    await workbench.editors.waitForText("What's weather in Oslo, Viken?");
    await workbench.editors.expect(['args-prompt.md']);
    await workbench.runCommand('View: Close All Editors');
  });

  it('PROM-04, COMP-02, COMP-03: the server suggests values, knowing those chosen before', async () => {
    const { quickInput } = workbench;
    await workbench.tree.clickRow('Team Management');
    await quickInput.waitForItems('the departments', (items) => items.includes('Engineering'));
    await quickInput.fill('S');
    await quickInput.waitForItems(
      'the departments with S',
      (items) => items.includes('Sales') && !items.includes('Engineering'),
    );
    await workbench.screenshot('prompt-completion');
    await quickInput.pick('Sales');
    const names = await quickInput.waitForItems('the people of Sales', (items) =>
      items.includes('David'),
    );
    assert.ok(!names.includes('Alice'));
    await quickInput.pick('Eve');
    await workbench.editors.waitForText('promote Eve to the head of the Sales team');
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('PROM-04: takes the value from the active file', async () => {
    const { quickInput } = workbench;
    await workbench.page.keyboard.press('Control+P');
    await quickInput.fill('notes.txt');
    await quickInput.waitForItems('the file', (items) => items.includes('notes.txt'));
    await quickInput.accept();
    await workbench.editors.waitForText('Atlantis');
    await workbench.tree.show();
    await workbench.tree.clickRow('Arguments Prompt');
    await quickInput.pick('Active file');
    await quickInput.pick('Leave empty');
    await workbench.editors.waitForText("What's weather in Atlantis");
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  variant('PROM-04: takes the value from the selection and from the clipboard', async () => {
    const { quickInput } = workbench;
    await workbench.page.locator('.part.editor .view-lines').first().click();
    await workbench.page.keyboard.press('Control+A');
    await workbench.page.keyboard.press('Control+C');
    await workbench.tree.clickRow('Arguments Prompt');
    await quickInput.waitForItems('the sources', (items) => items.includes('Selection'));
    await workbench.screenshot('prompt-sources');
    await quickInput.pick('Selection');
    await quickInput.waitForItems('the second step', (items) => items.includes('Leave empty'));
    await quickInput.pick('Clipboard');
    const text = await workbench.editors.waitForText("What's weather in Atlantis");
    assert.equal(text.split('Atlantis').length, 5, 'twice in the message, twice in the arguments');
    await eventually(
      () => workbench.clipboard(),
      (copied) => assert.equal(copied.trim(), 'Atlantis'),
    );
    await quickInput.pick('Copy');
    await until(
      'the message on the clipboard',
      () => workbench.clipboard(),
      (copied) => copied.startsWith("What's weather in Atlantis"),
    );
  });

  variant('PROM-03: takes a value of several lines from an editor', async () => {
    const { quickInput } = workbench;
    await workbench.tree.clickRow('Arguments Prompt');
    await quickInput.pick('Write several lines…');
    await workbench.notifications.waitFor('Write the value of "city"');
    await workbench.editors.fill('first line\nsecond line');
    await workbench.screenshot('prompt-several-lines');
    await workbench.editors.clickAction('Use Edited Text');
    await quickInput.pick('Leave empty');
    const text = await workbench.editors.waitForText("What's weather in first line");
    assert.match(text, /second line/);
    await quickInput.cancel();
    await quickInput.waitForEnd();
    assert.equal(await workbench.dialog.isOpen(), false, 'nobody asks whether to save the value');
  });

  variant(
    'PROM-05: embedded resources are part of the preview, and of what is copied',
    async () => {
      const { quickInput } = workbench;
      await workbench.runCommand('MCP Host: Use Prompt…');
      await quickInput.waitForItems('the prompts', (items) => items.includes('Resource Prompt'));
      await workbench.screenshot('prompt-picker');
      await quickInput.pick('Resource Prompt');
      await quickInput.pick('Text');
      await quickInput.expectTitle(/\(2\/2\)/);
      await quickInput.enter('7');
      const text = await workbench.editors.waitForText('Embedded resource');
      assert.match(text, /demo:\/\/resource\/dynamic\/text\/7/);
      await workbench.screenshot('prompt-embedded-resource');
      await quickInput.cancel();
    },
  );

  it('VSC-12: "Use in Chat" puts a message to @mcp into the chat input', async () => {
    const { quickInput } = workbench;
    await workbench.tree.clickRow('Arguments Prompt');
    await quickInput.enter('Paris');
    await quickInput.pick('Leave empty');
    await quickInput.pick('Use in Chat');
    const input = workbench.page.locator('.interactive-input-part .view-lines').first();
    await until(
      'the message in the chat input',
      async () => ((await input.textContent()) ?? '').replaceAll('\u00a0', ' '),
      (text) => text.includes('/prompt everything.args-prompt {"city":"Paris"}'),
    );
    await workbench.screenshot('prompt-in-chat');
  });

  variant('PROM-08: the server’s refusal is shown as such', async () => {
    const { quickInput } = workbench;
    await workbench.tree.clickRow('Resource Prompt');
    await quickInput.waitForItems('the kinds', (items) => items.includes('Text'));
    await quickInput.enter('Nonsense');
    await quickInput.expectTitle(/\(2\/2\)/);
    await quickInput.enter('1');
    const message = await workbench.notifications.waitFor('did not return the prompt');
    assert.match(message, /everything/);
    await workbench.screenshot('prompt-refused');
  });
});
