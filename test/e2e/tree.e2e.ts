// The MCP view with real servers: lines, tooltips, actions for each state, problems in the settings, the status bar.
import assert from 'node:assert/strict';
import path from 'node:path';
import { variant } from './support/variant.ts';
import { published, scripted } from './support/servers.ts';
import { eventually, inWindow, until } from './support/workbench.ts';

describe('The MCP view', () => {
  const workbench = inWindow({
    servers: {
      'switched off': { ...scripted('showcase.mjs'), enabled: false },
      'by hand': { ...scripted('showcase.mjs'), startup: 'manual' },
      broken: scripted('crashing.mjs', { EXIT_IN_HANDSHAKE: '1' }),
      'no such program': { command: path.join('/nowhere', 'mcp-server') },
      showcase: scripted('showcase.mjs'),
      everything: published('server-everything', 'stdio'),
      typo: { command: 'node', arguments: ['server.js'], startup: 'manual' },
      nothing: { args: ['server.js'] },
    },
    ready: ['everything', 'showcase'],
  });
  const { tree, editors, quickInput, notifications, statusBar, extension } = workbench;

  it('names the entry and the field of what is wrong in the settings, and runs the rest', async () => {
    await tree.expectRow('typo.arguments', /args/);
    assert.match(await notifications.waitFor('mcpHost.servers'), /nothing: needs .*1 more/);
    await notifications.answer('mcpHost.servers', 'Open Settings');
    await editors.waitForText('"typo"');
  });

  it('HOST-12, VSC-17: shows each server with its lists and their counts', async () => {
    const everything = await until(
      'the lists of everything',
      async () => (await extension.status()).servers.find(({ name }) => name === 'everything')!,
      ({ tools, prompts, resources }) => tools > 5 && prompts > 1 && resources > 1,
    );
    await eventually(
      () => tree.rows(),
      (rows) =>
        assert.deepEqual(
          rows
            .slice(rows.findIndex(({ label }) => label === 'everything') + 1)
            .slice(0, 4)
            .map(({ level, label, description }) => [level, label, description]),
          [
            [2, 'Tools', String(everything.tools)],
            [2, 'Prompts', String(everything.prompts)],
            [2, 'Resources', String(everything.resources)],
            [2, 'Templates', '2'],
          ],
        ),
    );
  });

  variant(
    'TOOL-02: tooltips have revision and transport of a server, and the claims of a tool as claims',
    async () => {
      await tree.expand('showcase', 'Tools');
      const server = await tree.tooltip('showcase', 'Revision');
      assert.match(server, /Revision 2025-11-25 \(legacy\)/);
      assert.match(server, /Transport stdio/);
      assert.match(server, /Showcase 2\.1\.0/);
      assert.match(server, /user settings/);
      const tool = await tree.tooltip('Add a Note', 'add_note');
      assert.match(tool, /add_note/);
      assert.match(tool, /Claims, unverified only adds/);
    },
  );

  it('HOST-12: a line has the actions that its state allows', async () => {
    await tree.collapse('showcase');
    await tree.expectInlineActions('showcase', [
      'Restart Server',
      'Stop Server',
      'Show Server Log',
    ]);
    await tree.clickInlineAction('showcase', 'Stop Server');
    await extension.waitForServer('showcase', 'stopped');
    await tree.expectInlineActions('showcase', ['Start Server', 'Show Server Log']);
    await tree.clickInlineAction('showcase', 'Start Server');
    await extension.waitForServer('showcase', 'ready');
    await tree.expectInlineActions('by hand', ['Start Server', 'Show Server Log']);
    await tree.expectInlineActions('switched off', []);
    await tree.clickInlineAction('showcase', 'Show Server Log');
    await until(
      'the log of the server',
      () => workbench.page.locator('.part.panel .view-lines').first().innerText(),
      (text) => text.replaceAll('\u00a0', ' ').includes('listening on stdio'),
    );
    await workbench.runCommand('View: Hide Panel');
  });

  it('VSC-18: a failed server shows its error and what it wrote last', async () => {
    await extension.waitForServer('broken', 'failed');
    await eventually(
      () => tree.rows(),
      (rows) => {
        const index = rows.findIndex(({ label }) => label === 'broken');
        assert.equal(rows[index]?.description, 'failed');
        assert.match(rows[index + 1]?.label ?? '', /exited with code 3/);
        assert.equal(rows[index + 2]?.label, 'initialize: cannot go on');
      },
    );
  });

  variant('HOST-12: the status bar counts ready and failed servers and leads to each', async () => {
    await statusBar.expect('MCP 2 ready, 2 failed');
    await statusBar.click('MCP');
    const servers = await quickInput.waitForItems('the servers', (all) =>
      all.some((label) => label.includes('showcase')),
    );
    assert.ok(servers.some((label) => label.includes('broken')));
    await quickInput.pick('showcase');
    const actions = await quickInput.waitForItems('the actions', (all) =>
      all.some((label) => label.includes('Restart')),
    );
    assert.ok(actions.some((label) => label.includes('Stop')));
    await quickInput.pick('Stop');
    await extension.waitForServer('showcase', 'stopped');
  });

  variant(
    'HOST-12: what is chosen in the menu of several selected servers is done to each',
    async () => {
      await tree.clickInlineAction('showcase', 'Start Server');
      await extension.waitForServer('showcase', 'ready');
      await tree.collapse('everything');
      await tree.row('showcase').click();
      await tree.row('everything').click({ modifiers: ['Control'] });
      await tree.chooseInMenu('showcase', 'Stop Server');
      await extension.waitForServer('showcase', 'stopped');
      await extension.waitForServer('everything', 'stopped');
    },
  );
});
