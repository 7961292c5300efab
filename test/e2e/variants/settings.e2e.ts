// Settings that are wrong, or that somebody else decides about: servers that run go on, and the user is told why others do not.
import assert from 'node:assert/strict';
import { newFile } from '../support/ground.ts';
import { linesOf, scripted } from '../support/servers.ts';
import { inWindow } from '../support/workbench.ts';

const settingsFile = '.vscode/settings.json';

describe('Settings', () => {
  const pids = newFile('pids.txt');
  const servers = { mine: scripted('showcase.mjs', { PIDS: pids }) };
  const workbench = inWindow({ servers, ready: ['mine'] });
  const { tree, dialog, notifications, statusBar, extension, settings } = workbench;

  it('VSC-18: half written, they leave servers as they run, and view, status bar and a message say so', async () => {
    const theirs = { theirs: scripted('showcase.mjs', { PIDS: pids }) };
    const text = whole(theirs);
    await workbench.writeFile(settingsFile, text);
    await notifications.answer('waits for your consent', 'Review…');
    await dialog.answer('Allow');
    await extension.waitForServer('theirs', 'ready');
    const running = await linesOf(pids);
    await workbench.writeFile(settingsFile, text.slice(0, text.indexOf('showcase.mjs')));
    const told = await notifications.waitFor('settings.json is not JSON: line');
    assert.match(told, /keep their last settings/);
    await statusBar.expect('to fix');
    await tree.waitForRows('the problem', (rows) =>
      rows.some(({ description }) => description.includes('settings.json is not JSON')),
    );
    await extension.waitForServer('theirs', 'ready');
    assert.deepEqual(await linesOf(pids), running);
    await notifications.clear();
    await workbench.writeFile(settingsFile, text);
    await statusBar.expectNot('to fix');
    await extension.waitForServer('theirs', 'ready');
    assert.deepEqual(await linesOf(pids), running);
  });

  it('VSC-18, SEC-01: half written when the window opens, they start none of their servers', async () => {
    const own = newFile('own.txt');
    const others = { mine: scripted('showcase.mjs', { PIDS: own }) };
    await settings.setUserText(`"mcpHost.servers": { "mine": ${JSON.stringify(others.mine)}`);
    await workbench.load();
    const told = await notifications.waitFor('settings.json is not JSON: line');
    assert.match(told, /none of its MCP servers start/);
    assert.deepEqual(await linesOf(own), []);
    await settings.setUser({ 'mcpHost.servers': others });
    await extension.waitForServer('mine', 'ready');
    await notifications.clear();
  });

  it('HOST-05: what an organization forbids does not run here either, and the row names the setting', async () => {
    await settings.setUser({ 'mcpHost.servers': servers, 'chat.mcp.access': 'none' });
    await workbench.load();
    await extension.waitForServer('mine', 'stopped');
    await tree.waitForRows('the setting', (rows) =>
      rows.some(({ description }) => description.includes('not allowed by chat.mcp.access')),
    );
    await settings.setUser({ 'mcpHost.servers': servers });
    await workbench.load();
    await extension.waitForServer('mine', 'ready');
  });
});

function whole(servers: object): string {
  return JSON.stringify({ 'mcpHost.servers': servers, 'editor.wordWrap': 'off' }, undefined, 2);
}
