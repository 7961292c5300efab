// Approvals of tools over time: kept, taken back, bound to what was allowed, and worth nothing when they come too late.
import assert from 'node:assert/strict';
import { newFile } from '../support/ground.ts';
import { expectLines, linesOf, scripted } from '../support/servers.ts';
import { inWindow } from '../support/workbench.ts';

describe('Approvals of tools', () => {
  const calls = newFile('calls.txt');
  const workbench = inWindow({
    servers: { mine: scripted('showcase.mjs', { CALLS: calls }) },
    workspaceServers: { team: scripted('showcase.mjs') },
    ready: ['mine'],
  });
  const { tree, dialog, quickInput, notifications, extension, settings, chat } = workbench;

  before(() => chat.open());

  const allowFor = async (message: string, scope: string, answer: string) => {
    await chat.send(message);
    await dialog.answer('Run and Remember…');
    await quickInput.pick(scope);
    await chat.waitForAnswer(answer);
  };
  const runsUnasked = async (message: string, answer: string) => {
    await chat.send(message);
    await chat.waitForAnswer(answer);
    assert.equal(await dialog.isOpen(), false);
  };
  const asksAndDeny = async (message: string) => {
    await chat.send(message);
    const question = await dialog.expect();
    await dialog.answer('Deny');
    await chat.waitForAnswer('Nothing was sent');
    return question;
  };

  it('HOST-11, VSC-19: "This Workspace" and "Always" are kept over a reload of the window', async () => {
    await allowFor('mine_add_note {"text": "first"}', 'This Workspace', 'Kept: first');
    await allowFor('mine_refuse', 'Always', 'out of paper');
    await workbench.load();
    await extension.waitForServer('mine', 'ready');
    await chat.open();
    await runsUnasked('mine_add_note {"text": "second"}', 'Kept: second');
    await runsUnasked('mine_refuse', 'out of paper');
  });

  it('HOST-11, VSC-19: Manage Approvals lists them, and takes them back', async () => {
    await workbench.runCommand('MCP Host: Manage Approvals…');
    await quickInput.waitForItems(
      'both',
      (items) => items.includes('Add a Note') && items.includes('refuse'),
    );
    await quickInput.pick('Add a Note');
    await quickInput.waitForItems('one less', (items) => !items.includes('Add a Note'));
    await quickInput.pick('refuse');
    await quickInput.expectItem('None');
    await quickInput.cancel();
    await asksAndDeny('mine_add_note {"text": "third"}');
    await asksAndDeny('mine_refuse');
    await expectLines(calls, ['add_note', 'refuse', 'add_note', 'refuse']);
  });

  it('TRAP-52, VSC-20: stopped while the question is open, a later yes runs and remembers nothing, and says so', async () => {
    const before = await linesOf(calls);
    await chat.send('mine_add_note {"text": "too late"}');
    await dialog.expect();
    await chat.stopBehindDialog();
    await chat.waitForEnd();
    await dialog.answer('Run');
    const told = await notifications.waitFor('Your answer had no effect');
    assert.match(told, /is not remembered.*"Add a Note" on the MCP server "mine"/);
    await notifications.clear();
    await expectLines(calls, before);
    await asksAndDeny('mine_add_note {"text": "fourth"}');
  });

  it('TOOL-02, VSC-05: a server of the workspace is trusted by the user alone, and then its read-only tools run', async () => {
    await tree.clickInlineAction('team', 'Start Server');
    await dialog.answer('Allow');
    await extension.waitForServer('team', 'ready');
    const { detail } = await asksAndDeny('team_draw');
    assert.match(detail, /claims of a server that you have not marked as trusted/);
    await workbench.runCommand('MCP Host: Manage Approvals…');
    await quickInput.pick('team');
    await dialog.answer('Trust');
    await quickInput.expectItem('team');
    await quickInput.cancel();
    assert.doesNotMatch(await settings.userText(), /trustedServers/);
    await runsUnasked('team_draw', 'Here it is');
    await allowFor('team_add_note {"text": "for us"}', 'This Workspace', 'Kept: for us');
    await runsUnasked('team_add_note {"text": "again"}', 'Kept: again');
  });

  it('SEC-01, TOOL-02: its entry changed, it asks again for all, and says what has changed', async () => {
    await settings.setWorkspace({
      'mcpHost.servers': { team: scripted('showcase.mjs', { TOOLS: '2' }) },
    });
    await tree.clickInlineAction('team', 'Start Server');
    const start = await dialog.expect();
    assert.match(start.message, /The MCP server "team" has changed/);
    assert.match(start.detail, /Changed since you allowed it:\n.*\+ Environment: TOOLS=2/);
    await dialog.answer('Allow the New Version');
    await extension.waitForServer('team', 'ready');
    await asksAndDeny('team_draw');
    await chat.send('team_add_note {"text": "after the change"}');
    const { detail } = await dialog.expect();
    assert.match(detail, /Changed since you allowed it: the entry of the server in the settings/);
    await dialog.answer('Run and Remember…');
    await quickInput.pick('This Workspace');
    await chat.waitForAnswer('Kept: after the change');
    await runsUnasked('team_add_note {"text": "as before"}', 'Kept: as before');
  });
});
