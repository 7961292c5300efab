// From nothing to the first server: the welcome text, the steps of "Add Server", and what they write.
import assert from 'node:assert/strict';
import { published } from './support/servers.ts';
import { eventually, openWorkbench, until } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('The first server', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench();
    await workbench.setUserSettingsText('  // my servers\n  "editor.tabSize": 3 // as I like it');
    await workbench.showServers();
  });

  after(() => workbench.close());

  it('HOST-12: a view without servers says how to add one', async () => {
    const status = await workbench.status();
    assert.deepEqual(status.servers, []);
    await eventually(
      () => workbench.sideBarText(),
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
    const { detail } = await workbench.dialog('"everything" works');
    assert.match(detail, /Server: .*everything.* \d/i);
    assert.match(detail, /Protocol: 2025-11-25 over stdio/);
    assert.match(detail, /Offers: \d+ tools, \d+ prompts, \d+ resources, \d+ resource templates/);
    await workbench.screenshot('add-server-found');
    assert.doesNotMatch(await workbench.userSettingsText(), /mcpHost\.servers/);
    await workbench.answerDialog('Add');
    await workbench.waitForServer('everything', 'ready');
    await workbench.waitForRows('the server', (rows) =>
      rows.some(({ label }) => label === 'everything'),
    );
  });

  it('adds a URL beside it, and leaves comments in settings.json alone', async () => {
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
    const { detail } = await workbench.dialog('"nobody" did not work');
    assert.match(detail, /127\.0\.0\.1:9/);
    assert.match(detail, /Nothing has been saved/);
    await workbench.screenshot('add-server-failed');
    await workbench.answerDialog('Back');
    await quickInput.expectValue('http://127.0.0.1:9/mcp');
    await quickInput.accept();
    await quickInput.pick('For me');
    await quickInput.expectValue('127.0.0.1');
    await quickInput.fill('nobody');
    await quickInput.accept();
    await workbench.dialog('"nobody" did not work');
    await workbench.answerDialog('Add Anyway');
    const text = await until(
      'the entry in the settings',
      () => workbench.userSettingsText(),
      (written) => written.includes('"nobody"'),
    );
    assert.match(text, /"url": "http:\/\/127\.0\.0\.1:9\/mcp"/);
    assert.match(text, /"everything": \{/);
    assert.match(text, /\/\/ my servers\n/);
    assert.match(
      text,
      /"editor\.tabSize": 3,? ?\/\/ as I like it|"editor\.tabSize": 3.*as I like it/s,
    );
    await workbench.waitForServer('nobody', 'failed');
    await workbench.screenshot('added-servers');
  });

  it('says that it could not write, and what to do, when settings.json is broken', async () => {
    const { quickInput } = workbench;
    await workbench.setUserSettingsText('  "editor.tabSize": [');
    await workbench.runCommand('MCP Host: Add Server…');
    await quickInput.pick('URL');
    await quickInput.fill('http://127.0.0.1:9/mcp');
    await quickInput.accept();
    await quickInput.pick('For me');
    await quickInput.expectValue('127.0.0.1');
    await quickInput.accept();
    await workbench.dialog('did not work');
    await workbench.answerDialog('Add Anyway');
    const message = await workbench.waitForNotification('was not written');
    assert.match(message, /^The setting mcpHost\.servers was not written: .*settings/);
    await workbench.screenshot('settings-not-written');
    const broken = await workbench.userSettingsText();
    await workbench.answerNotification('was not written', 'Open Settings');
    await workbench.waitForEditorText('"editor.tabSize": [');
    await workbench.screenshot('settings-not-written-opened');
    assert.equal(await workbench.userSettingsText(), broken);
  });
});
