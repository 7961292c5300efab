// From nothing to the first server: the welcome text, the steps of "Add Server", and what they write.
import assert from 'node:assert/strict';
import { variant } from './support/variant.ts';
import { published } from './support/servers.ts';
import { eventually, inWindow, until } from './support/workbench.ts';

describe('The first server', () => {
  const workbench = inWindow();
  const { tree, editors, dialog, quickInput, notifications, extension, settings } = workbench;

  before(() => settings.setUserText('  // my servers\n  "editor.tabSize": 3 // as I like it'));

  it('HOST-12: a view without servers says how to add one', async () => {
    const status = await extension.status();
    assert.deepEqual(status.servers, []);
    await eventually(
      () => tree.text(),
      (text) => assert.match(text, /No MCP servers are configured yet/),
    );
  });

  it('HOST-12, VSC-01: two clicks, a paste and an Enter add a server, which runs', async () => {
    const { command, args } = published('server-everything', 'stdio');
    await workbench.page
      .locator('.sidebar .welcome-view .monaco-button')
      .getByText('Add Server')
      .click();
    await quickInput.expectItems(['Search', 'Bundle…']);
    await quickInput.fill('"unfinished');
    await quickInput.expectItem('This cannot be added: it has a quote that is not closed');
    const line = `"${command}" ${args.map((arg) => `"${arg}"`).join(' ')}`;
    await quickInput.fill(line);
    await quickInput.expectText('not run through a shell');
    await quickInput.accept();
    const { detail } = await dialog.expect('"server-everything" works');
    assert.match(detail, /^Saved in: user settings\n/);
    assert.match(detail, /Server: .*everything.* \d/i);
    assert.match(detail, /Protocol: 2025-11-25 over stdio/);
    assert.match(detail, /Offers: Tools \d+, Prompts \d+, Resources \d+, Templates \d+/);
    assert.doesNotMatch(await settings.userText(), /mcpHost\.servers/);
    await dialog.answer('Name and Scope…');
    await quickInput.pick('For me');
    await quickInput.expectValue('server-everything');
    await quickInput.clickButton('Back');
    await quickInput.pick('For me');
    await quickInput.expectValue('server-everything');
    await quickInput.enter('everything');
    await dialog.answer('Add', '"everything" works');
    await extension.waitForServer('everything', 'ready');
    await tree.expectRow('everything');
  });

  variant('adds a URL beside it, and leaves comments in settings.json alone', async () => {
    await workbench.runCommand('MCP Host: Add Server…');
    await quickInput.fill('http://127.0.0.1:9/mcp');
    await quickInput.expectText('reached at this URL');
    await quickInput.accept();
    const { detail } = await dialog.expect('"127.0.0.1" did not work');
    assert.match(detail, /127\.0\.0\.1:9/);
    assert.match(detail, /Nothing has been saved/);
    assert.match(detail, /^Try this\. \S/m);
    await dialog.answer('Back');
    await quickInput.expectValue('http://127.0.0.1:9/mcp');
    await quickInput.expectText('reached at this URL');
    await quickInput.accept();
    await dialog.answer('Add Anyway', '"127.0.0.1" did not work');
    const text = await until(
      'the entry in the settings',
      () => settings.userText(),
      (written) => written.includes('"127.0.0.1"'),
    );
    assert.match(text, /"url": "http:\/\/127\.0\.0\.1:9\/mcp"/);
    assert.match(text, /"everything": \{/);
    assert.match(text, /\/\/ my servers\n/);
    assert.match(
      text,
      /"editor\.tabSize": 3,? ?\/\/ as I like it|"editor\.tabSize": 3.*as I like it/s,
    );
    await extension.waitForServer('127.0.0.1', 'failed');
  });

  variant(
    'says that it could not write, and what to do, when settings.json is broken',
    async () => {
      await settings.setUserText('  "editor.tabSize": [');
      // Without what it knows of the text before, over which it saves nothing.
      await workbench.load();
      await workbench.runCommand('MCP Host: Add Server…');
      await quickInput.fill('http://127.0.0.1:9/mcp');
      await quickInput.expectText('reached at this URL');
      await quickInput.accept();
      await dialog.answer('Add Anyway', 'did not work');
      const message = await notifications.waitFor('was not written');
      assert.match(message, /^The setting mcpHost\.servers was not written: .*settings/);
      const broken = await settings.userText();
      await notifications.answer('was not written', 'Open Settings');
      await editors.waitForText('"editor.tabSize": [');
      assert.equal(await settings.userText(), broken);
    },
  );
});
