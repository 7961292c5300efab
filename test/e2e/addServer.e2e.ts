// From nothing to the first server: the welcome text, the steps of "Add Server", and what they write.
import assert from 'node:assert/strict';
import { published } from './support/servers.ts';
import { variant } from './support/variant.ts';
import { eventually, openWorkbench, until } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('The first server', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench();
    await workbench.settings.setUserText('  // my servers\n  "editor.tabSize": 3 // as I like it');
    await workbench.tree.show();
  });

  after(() => workbench.close());

  it('HOST-12: a view without servers says how to add one', async () => {
    const status = await workbench.extension.status();
    assert.deepEqual(status.servers, []);
    await eventually(
      () => workbench.tree.text(),
      (text) => assert.match(text, /No MCP servers are configured yet/),
    );
    await workbench.screenshot('welcome');
  });

  it('HOST-12, VSC-01: Add Server takes a command line, and the server runs', async () => {
    const { command, args } = published('server-everything', 'stdio');
    await workbench.page
      .locator('.sidebar .welcome-view .monaco-button')
      .getByText('Add Server')
      .click();
    const { quickInput } = workbench;
    await quickInput.expectItems(['Command', 'URL', 'npm Package', 'Paste', 'Search']);
    await workbench.screenshot('add-server-kind');
    await quickInput.pick('Command');
    await quickInput.fill('"unfinished');
    await quickInput.expectMessage(/quote/);
    await quickInput.fill(`"${command}" ${args.map((arg) => `"${arg}"`).join(' ')}`);
    await quickInput.expectMessage(/not run through a shell/);
    await workbench.screenshot('add-server-command');
    await quickInput.accept();
    await quickInput.pick('For me');
    await quickInput.expectValue('server-everything');
    await quickInput.fill('everything');
    await workbench.screenshot('add-server-name');
    await quickInput.accept();
    const { detail } = await workbench.dialog.expect('"everything" works');
    assert.match(detail, /Server: .*everything.* \d/i);
    assert.match(detail, /Protocol: 2025-11-25 over stdio/);
    assert.match(detail, /Offers: \d+ tools, \d+ prompts, \d+ resources, \d+ resource templates/);
    await workbench.screenshot('add-server-found');
    assert.doesNotMatch(await workbench.settings.userText(), /mcpHost\.servers/);
    await workbench.dialog.answer('Add');
    await workbench.extension.waitForServer('everything', 'ready');
    await workbench.tree.waitForRows('the server', (rows) =>
      rows.some(({ label }) => label === 'everything'),
    );
  });

  variant('adds a URL beside it, and leaves comments in settings.json alone', async () => {
    await workbench.runCommand('MCP Host: Add Server…');
    const { quickInput } = workbench;
    await quickInput.pick('URL');
    await quickInput.fill('ftp://example.com');
    await quickInput.expectMessage(/https:\/\//);
    await workbench.screenshot('add-server-url');
    await quickInput.fill('http://127.0.0.1:9/mcp');
    await quickInput.accept();
    await quickInput.pick('For me');
    await quickInput.expectValue('127.0.0.1');
    await quickInput.fill('everything');
    await quickInput.expectMessage(/already/);
    await quickInput.fill('nobody');
    await quickInput.accept();
    const { detail } = await workbench.dialog.expect('"nobody" did not work');
    assert.match(detail, /127\.0\.0\.1:9/);
    assert.match(detail, /Nothing has been saved/);
    await workbench.screenshot('add-server-failed');
    await workbench.dialog.answer('Back');
    await quickInput.expectValue('http://127.0.0.1:9/mcp');
    await quickInput.accept();
    await quickInput.pick('For me');
    await quickInput.expectValue('127.0.0.1');
    await quickInput.fill('nobody');
    await quickInput.accept();
    await workbench.dialog.expect('"nobody" did not work');
    await workbench.dialog.answer('Add Anyway');
    const text = await until(
      'the entry in the settings',
      () => workbench.settings.userText(),
      (written) => written.includes('"nobody"'),
    );
    assert.match(text, /"url": "http:\/\/127\.0\.0\.1:9\/mcp"/);
    assert.match(text, /"everything": \{/);
    assert.match(text, /\/\/ my servers\n/);
    assert.match(
      text,
      /"editor\.tabSize": 3,? ?\/\/ as I like it|"editor\.tabSize": 3.*as I like it/s,
    );
    await workbench.extension.waitForServer('nobody', 'failed');
    await workbench.screenshot('added-servers');
  });

  variant(
    'says that it could not write, and what to do, when settings.json is broken',
    async () => {
      const { quickInput } = workbench;
      await workbench.settings.setUserText('  "editor.tabSize": [');
      await workbench.runCommand('MCP Host: Add Server…');
      await quickInput.pick('URL');
      await quickInput.fill('http://127.0.0.1:9/mcp');
      await quickInput.accept();
      await quickInput.pick('For me');
      await quickInput.expectValue('127.0.0.1');
      await quickInput.accept();
      await workbench.dialog.expect('did not work');
      await workbench.dialog.answer('Add Anyway');
      const message = await workbench.notifications.waitFor('was not written');
      assert.match(message, /^The setting mcpHost\.servers was not written: .*settings/);
      await workbench.screenshot('settings-not-written');
      const broken = await workbench.settings.userText();
      await workbench.notifications.answer('was not written', 'Open Settings');
      await workbench.editors.waitForText('"editor.tabSize": [');
      await workbench.screenshot('settings-not-written-opened');
      assert.equal(await workbench.settings.userText(), broken);
    },
  );
});
