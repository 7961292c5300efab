// Prompts from the tree and the palette: arguments with completion, the preview, and where the messages go.
import assert from 'node:assert/strict';
import { variant } from './support/variant.ts';
import { published } from './support/servers.ts';
import { inWindow, until } from './support/workbench.ts';

const useIn = ['Use in Chat', 'Copy', 'Open as Document'];

describe('Prompts', () => {
  const workbench = inWindow({
    servers: { everything: published('server-everything', 'stdio') },
    files: { 'notes.txt': 'Atlantis\n' },
    ready: ['everything'],
  });
  const { tree, editors, dialog, quickInput, notifications } = workbench;

  before(() => tree.expand('everything', 'Prompts'));

  it('PROM-02, PROM-05: a prompt without arguments shows its messages before anything is done with them', async () => {
    await tree.clickRow('Simple Prompt');
    await quickInput.waitForItems('the choices', (items) => items.length === 3);
    const text = await editors.waitForText('This is a simple prompt');
    assert.match(text, /User/);
    assert.match(text, /everything/);
    await quickInput.expectItems(useIn);
    const preview = await editors.webview('This is a simple prompt');
    const [picker, heading] = await Promise.all(
      [
        workbench.page.locator('.quick-input-widget'),
        preview.getByRole('heading', { name: 'Simple Prompt' }),
      ].map((place) => place.first().boundingBox()),
    );
    assert.ok(picker && heading);
    assert.ok(picker.y + picker.height <= heading.y, 'The list covers the preview.');
    await quickInput.cancel();
    await editors.expect([]);
  });

  it('PROM-03, PROM-08: asks for required and optional arguments, with Back', async () => {
    await tree.clickRow('Arguments Prompt');
    await quickInput.waitFor();
    await quickInput.expectTitle(/everything: Arguments Prompt.*\(1\/2\)/s);
    await quickInput.accept(); // nothing typed: a required argument stays
    await quickInput.expectText('is required: type a value');
    await quickInput.expectTitle(/\(1\/2\)/);
    await quickInput.enter('Paris');
    await quickInput.expectTitle(/\(2\/2\)/);
    await quickInput.expectItem('Leave empty');
    await workbench.page.locator('.quick-input-titlebar [aria-label*="Back"]').first().click();
    await quickInput.expectTitle(/\(1\/2\)/);
    await quickInput.expectValue('Paris');
    await quickInput.enter('Rome');
    await quickInput.pick('Leave empty');
    await quickInput.expectItem('Change Arguments');
    await editors.waitForText("What's weather in Rome?");
  });

  it('PROM-08: arguments can be changed from the preview', async () => {
    await quickInput.pick('Change Arguments');
    await quickInput.expectTitle(/\(1\/2\)/);
    await quickInput.expectValue('Rome');
    await quickInput.enter('Oslo');
    await quickInput.expectItem('Leave empty');
    await quickInput.enter('Viken');
    await editors.waitForText("What's weather in Oslo, Viken?");
    await quickInput.pick('Open as Document');
    await editors.waitForText("What's weather in Oslo, Viken?");
    await editors.expect(['args-prompt.md']);
    await workbench.closeEditors();
  });

  it('PROM-04, COMP-02, COMP-03: the server suggests values, knowing those chosen before', async () => {
    await tree.clickRow('Team Management');
    await quickInput.expectItem('Engineering');
    await quickInput.fill('S');
    await quickInput.waitForItems(
      'the departments with S',
      (items) => items.includes('Sales') && !items.includes('Engineering'),
    );
    await quickInput.fill('Sal');
    await quickInput.expectActive('Sales'); // the only one that fits
    await quickInput.accept();
    const names = await quickInput.expectItem('David');
    assert.ok(!names.includes('Alice'));
    await quickInput.pick('Eve');
    await editors.waitForText('promote Eve to the head of the Sales team');
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('PROM-04: takes the value from the active file', async () => {
    await workbench.openFile('notes.txt');
    await editors.waitForText('Atlantis');
    await tree.show();
    await tree.clickRow('Arguments Prompt');
    await quickInput.pick('Active file');
    await quickInput.pick('Leave empty');
    await editors.waitForText("What's weather in Atlantis");
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('uses the selection, or the file, in a prompt that the user picks', async () => {
    await workbench.page.locator('.part.editor .view-lines').first().click();
    await workbench.page.keyboard.press('Control+Home');
    await workbench.page.keyboard.press('Shift+End');
    await workbench.runCommand('MCP Host: Use Selection in MCP Prompt…');
    await quickInput.pick('Arguments Prompt');
    await quickInput.pick('Leave empty'); // the state; the city is the selection
    await editors.waitForText("What's weather in Atlantis?");
    await quickInput.cancel();
    await quickInput.waitForEnd();
    await workbench.runCommand('MCP Host: Use File in MCP Prompt…');
    await quickInput.pick('Arguments Prompt');
    await quickInput.pick('Leave empty');
    await editors.waitForText('notes.txt?');
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  variant('PROM-04: takes the value from the selection and from the clipboard', async () => {
    await workbench.page.locator('.part.editor .view-lines').first().click();
    await workbench.page.keyboard.press('Control+A');
    await workbench.page.keyboard.press('Control+C');
    await tree.clickRow('Arguments Prompt');
    await quickInput.pick('Selection');
    await quickInput.expectItem('Leave empty');
    await quickInput.pick('Clipboard');
    const text = await editors.waitForText("What's weather in Atlantis");
    assert.equal(text.split('Atlantis').length, 5, 'twice in the message, twice in the arguments');
    await workbench.expectClipboard(/^Atlantis\s*$/);
    await quickInput.pick('Copy');
    await workbench.expectClipboard(/^What's weather in Atlantis/);
  });

  variant('PROM-03: takes a value of several lines from an editor', async () => {
    await tree.clickRow('Arguments Prompt');
    await quickInput.pick('Write several lines…');
    await notifications.waitFor('Write the value of "city"');
    await editors.fill('first line\nsecond line');
    await editors.clickAction('Use Edited Text');
    await quickInput.pick('Leave empty');
    const text = await editors.waitForText("What's weather in first line");
    assert.match(text, /second line/);
    await quickInput.cancel();
    await quickInput.waitForEnd();
    assert.equal(await dialog.isOpen(), false, 'nobody asks whether to save the value');
  });

  it('VSC-12: "Use in Chat" puts a message to @mcp into the chat input', async () => {
    await tree.clickRow('Arguments Prompt');
    await quickInput.enter('Paris');
    await quickInput.pick('Leave empty');
    await quickInput.pick('Use in Chat');
    const input = workbench.page.locator('.interactive-input-part .view-lines').first();
    await until(
      'the message in the chat input',
      async () => ((await input.textContent()) ?? '').replaceAll('\u00a0', ' '),
      (text) => text.includes('/prompt everything.args-prompt {"city":"Paris"}'),
    );
  });

  variant('a favorite stands above the servers, also after a reload', async () => {
    await tree.chooseInMenu('Simple Prompt', 'Add to Favorites');
    const top = async () => (await tree.rows())[0];
    await until('the favorite', top, (row) => row?.label === 'Simple Prompt');
    assert.match((await top())?.description ?? '', /^everything/);
    await workbench.reload();
    await tree.show();
    await until('the favorite', top, (row) => row?.label === 'Simple Prompt');
    await tree.clickRow('Simple Prompt');
    await editors.waitForText('This is a simple prompt');
    await quickInput.cancel();
    await quickInput.waitForEnd();
    await tree.chooseInMenu('Simple Prompt', 'Remove from Favorites');
    await until('no favorite', top, (row) => row?.label === 'everything');
  });
});
