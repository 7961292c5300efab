// Settings that are wrong, or that somebody else decides about: servers that run go on, and the user is told why others do not.
import assert from 'node:assert/strict';
import { newFile } from './support/ground.ts';
import { linesOf, scripted } from './support/servers.ts';
import { variant } from './support/variant.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const settingsFile = '.vscode/settings.json';

describe('Settings', () => {
  let workbench: Workbench;
  let pids: string;

  before(async () => {
    pids = await newFile('pids.txt');
    workbench = await openWorkbench({
      userSettings: { 'mcpHost.servers': { mine: scripted('showcase.mjs', { PIDS: pids }) } },
    });
    await workbench.tree.show();
    await workbench.extension.waitForServer('mine', 'ready');
  });

  after(() => workbench.close());

  it('VSC-18: half written, they leave servers as they run, and view, status bar and a message say so', async () => {
    const theirs = { theirs: scripted('showcase.mjs', { PIDS: pids }) };
    const text = whole(theirs);
    await workbench.writeFile(settingsFile, text);
    await workbench.notifications.answer('waits for your consent', 'Review…');
    await workbench.dialog.answer('Allow');
    await workbench.extension.waitForServer('theirs', 'ready');
    const running = await linesOf(pids);
    await workbench.writeFile(settingsFile, text.slice(0, text.indexOf('showcase.mjs')));
    const told = await workbench.notifications.waitFor('settings.json is not JSON: line');
    assert.match(told, /keep their last settings/);
    await workbench.statusBar.expect('settings to fix');
    await workbench.tree.waitForRows('the problem', (rows) =>
      rows.some(({ description }) => description.includes('settings.json is not JSON')),
    );
    await workbench.screenshot('settings-broken');
    await workbench.extension.waitForServer('theirs', 'ready');
    assert.deepEqual(await linesOf(pids), running);
    await workbench.notifications.clear();
    await workbench.writeFile(settingsFile, text);
    await workbench.statusBar.expectNot('settings to fix');
    await workbench.extension.waitForServer('theirs', 'ready');
    assert.deepEqual(await linesOf(pids), running);
  });

  it('VSC-18, SEC-01: half written when the window opens, they start none of their servers', async () => {
    const own = await newFile('own.txt');
    const servers = { mine: scripted('showcase.mjs', { PIDS: own }) };
    await workbench.settings.setUserText(
      `"mcpHost.servers": { "mine": ${JSON.stringify(servers.mine)}`,
    );
    await workbench.load();
    const told = await workbench.notifications.waitFor('settings.json is not JSON: line');
    assert.match(told, /none of its MCP servers start/);
    assert.deepEqual(await linesOf(own), []);
    await workbench.settings.setUser({ 'mcpHost.servers': servers });
    await workbench.extension.waitForServer('mine', 'ready');
    await workbench.notifications.clear();
  });

  variant('VSC-18: of a bad entry, what stops it is said first', async () => {
    await workbench.writeFile(
      settingsFile,
      whole({ bad: { enviroment: {}, timeout: 3, command: 'x', args: 'y' } }),
    );
    const told = await workbench.notifications.waitFor('bad.');
    assert.match(told, /bad\.args: must be a list of texts.*\(and 2 more\)/);
    await workbench.screenshot('settings-bad-entry');
    await workbench.notifications.clear();
    await workbench.writeFile(settingsFile, whole({}));
  });

  variant(
    'HOST-05: what an organization forbids does not run here either, and the row names the setting',
    async () => {
      const servers = { mine: scripted('showcase.mjs', { PIDS: pids }) };
      await workbench.settings.setUser({ 'mcpHost.servers': servers, 'chat.mcp.access': 'none' });
      await workbench.load();
      await workbench.tree.show();
      await workbench.extension.waitForServer('mine', 'stopped');
      await workbench.tree.waitForRows('the setting', (rows) =>
        rows.some(({ description }) => description.includes('not allowed by chat.mcp.access')),
      );
      await workbench.screenshot('settings-forbidden');
      await workbench.settings.setUser({ 'mcpHost.servers': servers });
      await workbench.load();
      await workbench.extension.waitForServer('mine', 'ready');
    },
  );
});

function whole(servers: object): string {
  return JSON.stringify({ 'mcpHost.servers': servers, 'editor.wordWrap': 'off' }, undefined, 2);
}
