// Approvals of tools over time: kept, taken back, bound to what was allowed, and worth nothing when they come too late.
import assert from 'node:assert/strict';
import { Chat } from '../support/chat.ts';
import { newFile } from '../support/ground.ts';
import { expectLines, linesOf, scripted } from '../support/servers.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

describe('Approvals of tools', () => {
  let workbench: Workbench;
  let chat: Chat;
  let calls: string;

  before(async () => {
    calls = await newFile('calls.txt');
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': { mine: scripted('showcase.mjs', { CALLS: calls }) },
      },
      workspaceSettings: { 'mcpHost.servers': { team: scripted('showcase.mjs') } },
    });
    await workbench.extension.waitForServer('mine', 'ready');
    chat = new Chat(workbench);
    await chat.open();
    await workbench.tree.show();
  });

  after(() => workbench.close());

  const allowFor = async (message: string, scope: string, answer: string) => {
    await chat.send(message);
    await workbench.dialog.answer('Run and Remember…');
    await workbench.quickInput.pick(scope);
    await chat.waitForAnswer(answer);
  };
  const runsUnasked = async (message: string, answer: string) => {
    await chat.send(message);
    await chat.waitForAnswer(answer);
    assert.equal(await workbench.dialog.isOpen(), false);
  };
  const asksAndDeny = async (message: string) => {
    await chat.send(message);
    const dialog = await workbench.dialog.expect();
    await workbench.dialog.answer('Deny');
    await chat.waitForAnswer('Nothing was sent');
    return dialog;
  };

  it('HOST-11, VSC-19: "This Workspace" and "Always" are kept over a reload of the window', async () => {
    await allowFor('mine_add_note {"text": "first"}', 'This Workspace', 'Kept: first');
    await allowFor('mine_refuse', 'Always', 'out of paper');
    await workbench.load();
    await workbench.extension.waitForServer('mine', 'ready');
    await workbench.tree.show();
    await chat.open();
    await runsUnasked('mine_add_note {"text": "second"}', 'Kept: second');
    await runsUnasked('mine_refuse', 'out of paper');
    await workbench.screenshot('approvals-kept');
  });

  it('HOST-11, VSC-19: Manage Approvals lists them, and takes them back', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('MCP Host: Manage Approvals…');
    await quickInput.waitForItems(
      'both',
      (items) => items.includes('Add a Note') && items.includes('refuse'),
    );
    await workbench.screenshot('approvals-listed');
    await quickInput.pick('Add a Note');
    await quickInput.waitForItems('one less', (items) => !items.includes('Add a Note'));
    await quickInput.pick('refuse');
    await quickInput.waitForItems('none', (items) => items.includes('None'));
    await quickInput.cancel();
    await asksAndDeny('mine_add_note {"text": "third"}');
    await asksAndDeny('mine_refuse');
    await expectLines(calls, ['add_note', 'refuse', 'add_note', 'refuse']);
  });

  it('TRAP-52, VSC-20: stopped while the question is open, a later yes runs and remembers nothing, and says so', async () => {
    const before = await linesOf(calls);
    await chat.send('mine_add_note {"text": "too late"}');
    await workbench.dialog.expect();
    await chat.stopBehindDialog();
    await chat.waitForEnd();
    await workbench.dialog.answer('Run');
    const told = await workbench.notifications.waitFor('Your answer had no effect');
    assert.match(told, /is not remembered.*"Add a Note" on the MCP server "mine"/);
    await workbench.screenshot('approval-too-late');
    await workbench.notifications.clear();
    await expectLines(calls, before);
    await asksAndDeny('mine_add_note {"text": "fourth"}');
  });

  it('TOOL-02, VSC-05: a server of the workspace is trusted by the user alone, and then its read-only tools run', async () => {
    await workbench.tree.clickInlineAction('team', 'Start Server');
    await workbench.dialog.answer('Allow');
    await workbench.extension.waitForServer('team', 'ready');
    const { detail } = await asksAndDeny('team_draw');
    assert.match(detail, /claims of a server that you have not marked as trusted/);
    await workbench.runCommand('MCP Host: Manage Approvals…');
    await workbench.quickInput.pick('team');
    await workbench.dialog.expect();
    await workbench.screenshot('trust-workspace-server');
    await workbench.dialog.answer('Trust');
    await workbench.quickInput.waitForItems('the list', (items) => items.includes('team'));
    await workbench.screenshot('trusted-workspace-server');
    await workbench.quickInput.cancel();
    assert.doesNotMatch(await workbench.settings.userText(), /trustedServers/);
    await runsUnasked('team_draw', 'Here it is');
    await allowFor('team_add_note {"text": "for us"}', 'This Workspace', 'Kept: for us');
    await runsUnasked('team_add_note {"text": "again"}', 'Kept: again');
  });

  it('SEC-01, TOOL-02: its entry changed, it asks again for all, and says what has changed', async () => {
    await workbench.settings.setWorkspace({
      'mcpHost.servers': { team: scripted('showcase.mjs', { TOOLS: '2' }) },
    });
    await workbench.tree.clickInlineAction('team', 'Start Server');
    const start = await workbench.dialog.expect();
    assert.match(start.message, /The MCP server "team" has changed/);
    assert.match(start.detail, /Changed since you allowed it:\n.*\+ Environment: TOOLS=2/);
    await workbench.screenshot('server-changed');
    await workbench.dialog.answer('Allow the New Version');
    await workbench.extension.waitForServer('team', 'ready');
    await asksAndDeny('team_draw');
    await chat.send('team_add_note {"text": "after the change"}');
    const { detail } = await workbench.dialog.expect();
    assert.match(detail, /Changed since you allowed it: the entry of the server in the settings/);
    await workbench.screenshot('approval-changed');
    await workbench.dialog.answer('Run and Remember…');
    await workbench.quickInput.pick('This Workspace');
    await chat.waitForAnswer('Kept: after the change');
    await runsUnasked('team_add_note {"text": "as before"}', 'Kept: as before');
  });
});
