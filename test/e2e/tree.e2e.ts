// The MCP view with real servers: lines, tooltips, actions for each state, problems in the settings, the status bar.
import assert from 'node:assert/strict';
import path from 'node:path';
import { published, scripted } from './support/servers.ts';
import { variant } from './support/variant.ts';
import { eventually, openWorkbench, until } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('The MCP view', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': {
          'switched off': { ...scripted('showcase.mjs'), enabled: false },
          'by hand': { ...scripted('showcase.mjs'), startup: 'manual' },
          broken: scripted('crashing.mjs', { EXIT_IN_HANDSHAKE: '1' }),
          'no such program': { command: path.join('/nowhere', 'mcp-server') },
          showcase: scripted('showcase.mjs'),
          everything: published('server-everything', 'stdio'),
          typo: { command: 'node', arguments: ['server.js'], startup: 'manual' },
          nothing: { args: ['server.js'] },
        },
      },
    });
    await workbench.tree.show();
    await workbench.extension.waitForServer('everything', 'ready');
    await workbench.extension.waitForServer('showcase', 'ready');
  });

  after(() => workbench.close());

  it('names the entry and the field of what is wrong in the settings, and runs the rest', async () => {
    const rows = await workbench.tree.waitForRows('the problem', (shown) =>
      shown.some(({ label }) => label === 'typo.arguments'),
    );
    const problem = rows.find(({ label }) => label === 'typo.arguments');
    assert.match(problem?.description ?? '', /args/);
    assert.match(
      await workbench.notifications.waitFor('mcpHost.servers'),
      /nothing: needs .*1 more/,
    );
    await workbench.screenshot('settings-problem');
    await workbench.notifications.answer('mcpHost.servers', 'Open Settings');
    await workbench.editors.waitForText('"typo"');
    await workbench.screenshot('settings-opened');
  });

  it('HOST-12, VSC-17: shows each server with its lists and their counts', async () => {
    const everything = await until(
      'the lists of everything',
      async () =>
        (await workbench.extension.status()).servers.find(({ name }) => name === 'everything')!,
      ({ tools, prompts, resources }) => tools > 5 && prompts > 1 && resources > 1,
    );
    await eventually(
      () => workbench.tree.rows(),
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
    await workbench.screenshot('tree-servers');
  });

  variant(
    'NAME-01, RES-01, TOOL-01: items have their title before their name, and their description',
    async () => {
      await workbench.tree.collapse('everything');
      await workbench.tree.expand('showcase', 'Templates', 'Resources', 'Prompts', 'Tools');
      await eventually(
        () => workbench.tree.rows(),
        (rows) => {
          const described = (label: string) => rows.find((row) => row.label === label)?.description;
          assert.equal(described('Add a Note'), 'Keeps a note. Its text is limited.');
          assert.equal(described('Draw'), 'Draws a square');
          assert.equal(described('refuse'), 'Reports an error of its own');
          assert.equal(described('Greeting'), 'Says hello');
          assert.equal(described('Colours'), '19 bytes · Names and numbers');
          assert.notEqual(described('Note'), undefined);
        },
      );
      await workbench.screenshot('tree-items');
    },
  );

  variant(
    'TOOL-02: tooltips have revision and transport of a server, and the claims of a tool as claims',
    async () => {
      const server = await workbench.tree.tooltip('showcase', 'Revision');
      await workbench.screenshot('tooltip-server');
      assert.match(server, /Revision 2025-11-25 \(legacy\)/);
      assert.match(server, /Transport stdio/);
      assert.match(server, /Showcase 2\.1\.0/);
      assert.match(server, /user settings/);
      const tool = await workbench.tree.tooltip('Add a Note', 'add_note');
      await workbench.screenshot('tooltip-tool');
      assert.match(tool, /add_note/);
      assert.match(tool, /Claims, unverified only adds/);
    },
  );

  it('HOST-12: a line has the actions that its state allows', async () => {
    await workbench.tree.collapse('showcase');
    await workbench.tree.expectInlineActions('showcase', [
      'Restart Server',
      'Stop Server',
      'Show Server Log',
    ]);
    await workbench.screenshot('actions-ready');
    await workbench.tree.clickInlineAction('showcase', 'Stop Server');
    await workbench.extension.waitForServer('showcase', 'stopped');
    await workbench.tree.expectInlineActions('showcase', ['Start Server', 'Show Server Log']);
    await workbench.tree.clickInlineAction('showcase', 'Start Server');
    await workbench.extension.waitForServer('showcase', 'ready');
    await workbench.tree.expectInlineActions('by hand', ['Start Server', 'Show Server Log']);
    await workbench.tree.expectInlineActions('switched off', []);
    await workbench.tree.clickInlineAction('showcase', 'Show Server Log');
    await until(
      'the log of the server',
      () => workbench.page.locator('.part.panel .view-lines').first().innerText(),
      (text) => text.replaceAll('\u00a0', ' ').includes('listening on stdio'),
    );
    await workbench.screenshot('server-log');
    await workbench.runCommand('View: Hide Panel');
  });

  it('VSC-18: a failed server shows its error and what it wrote last, and gives both to the clipboard', async () => {
    await workbench.extension.waitForServer('broken', 'failed');
    await eventually(
      () => workbench.tree.rows(),
      (rows) => {
        const index = rows.findIndex(({ label }) => label === 'broken');
        assert.equal(rows[index]?.description, 'failed');
        assert.match(rows[index + 1]?.label ?? '', /exited with code 3/);
        assert.equal(rows[index + 2]?.label, 'initialize: cannot go on');
      },
    );
    const tooltip = await workbench.tree.tooltip('broken', 'offered as soon as the server runs');
    assert.match(tooltip, /initialize: cannot go on/);
    assert.doesNotMatch(tooltip, /agent mode/);
    await workbench.screenshot('failed-server');
    await workbench.tree.expectInlineActions('broken', [
      'Start Server',
      'Show Server Log',
      'Copy Error',
    ]);
    await workbench.tree.clickInlineAction('broken', 'Copy Error');
    const copied = await until(
      'the error on the clipboard',
      () => workbench.clipboard(),
      (text) => text.includes('broken'),
    );
    assert.match(copied, /initialize: cannot go on/);
    const missing = await workbench.extension.waitForServer('no such program', 'failed');
    assert.match(missing.error ?? '', /mcp-server/);
    await workbench.tree.clickInlineAction('broken', 'Start Server');
    await workbench.notifications.answer('exited with code 3', 'Show Log');
    await workbench.output.waitFor('[stderr] initialize: cannot go on');
    await workbench.runCommand('View: Hide Panel');
  });

  variant('HOST-12: the status bar counts ready and failed servers and leads to each', async () => {
    await workbench.statusBar.expect('MCP 2 ready, 2 failed');
    await workbench.statusBar.click('MCP');
    const { quickInput } = workbench;
    const servers = await quickInput.waitForItems('the servers', (all) =>
      all.some((label) => label.includes('showcase')),
    );
    assert.ok(servers.some((label) => label.includes('broken')));
    await workbench.screenshot('server-picker');
    await quickInput.pick('showcase');
    const actions = await quickInput.waitForItems('the actions', (all) =>
      all.some((label) => label.includes('Restart')),
    );
    await workbench.screenshot('server-picker-actions');
    assert.ok(actions.some((label) => label.includes('Stop')));
    await quickInput.pick('Stop');
    await workbench.extension.waitForServer('showcase', 'stopped');
  });
});
