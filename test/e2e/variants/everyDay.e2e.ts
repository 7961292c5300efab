// What people do every day around servers: switch them and their prompts off in one workspace, see what waits, use menus and
// keys of their own, see what rules cover.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { published, scripted } from '../support/servers.ts';
import { succeeds } from '../support/until.ts';
import { inWindow, until } from '../support/workbench.ts';

const key = {
  key: 'ctrl+alt+9',
  command: 'mcpHost.usePrompt',
  args: {
    server: 'everything',
    prompt: 'args-prompt',
    arguments: { city: 'Lisbon', state: 'Estremadura' },
  },
};

describe('Every day', () => {
  const workbench = inWindow({
    servers: {
      everything: published('server-everything', 'stdio'),
      second: published('server-everything', 'stdio'),
      mine: scripted('showcase.mjs'),
    },
    workspaceServers: { team: scripted('showcase.mjs') },
    userSettings: {
      'mcpHost.inspector.keepMessages': false,
      'mcpHost.rules': [
        { decision: 'deny', tool: 'ref*' },
        { decision: 'ask', server: 'nowhere' },
      ],
    },
    files: { 'notes.txt': 'Atlantis\n' },
    ready: ['everything', 'second', 'mine'],
  });
  const { tree, editors, quickInput, statusBar, extension, chat, dialog } = workbench;
  const keys = (): string => path.join(path.dirname(workbench.server.settings), 'keybindings.json');

  before(() => writeFile(keys(), JSON.stringify([key])));
  // Other tests share the profile.
  after(() => rm(keys(), { force: true }));

  it('the status bar counts servers that wait for consent', async () => {
    await statusBar.expect('1 waiting for your consent');
  });

  it('a server of the user is switched off and on for this workspace, and no setting changes', async () => {
    const before = await workbench.settings.userText();
    await tree.chooseInMenu('mine', 'Switch Off in This Workspace');
    await tree.expectRow('mine', 'off in this workspace');
    await workbench.load();
    await tree.expectRow('mine', 'off in this workspace');
    await tree.chooseInMenu('mine', 'Switch On in This Workspace');
    await extension.waitForServer('mine', 'ready');
    assert.equal(await workbench.settings.userText(), before);
  });

  it('the inspector begins with nothing where no messages are kept', async () => {
    await tree.chooseInMenu('mine', 'Inspect Messages');
    const page = await editors.webview('The server is ready');
    assert.doesNotMatch(await page.locator('body').innerText(), /initialize/u);
    await workbench.closeEditors();
  });

  it('a rule says which tools it covers', async () => {
    await workbench.runCommand('MCP Host: Manage Approvals…');
    await quickInput.expectItem('deny ref* of *');
    await quickInput.expectText('mine: refuse');
    await quickInput.expectText('Fits no tool that is known now.');
    await quickInput.click('deny ref* of *');
    await quickInput.waitForEnd();
    await editors.waitForText('mcpHost.rules');
    await workbench.closeEditors();
  });

  it('SEC-01: a call that a rule denies is not asked about, and the rule is named', async () => {
    await workbench.chooseTool('refuse');
    await workbench.notifications.waitFor('deny ref*');
    assert.equal(await dialog.isOpen(), false);
    await workbench.notifications.clear();
  });

  it('prompts of a server are left out of the editor’s chat', async () => {
    await workbench.runCommand('MCP Host: Select Prompts for Chat…');
    await quickInput.pick('second');
    await quickInput.accept();
    await quickInput.waitForEnd();
    await chat.open();
    await chat.waitForSuggestions('/mcp.', 'the prompts of one of the two', (labels) => {
      const has = (server: string): boolean =>
        labels.some((label) => label.startsWith(`/mcp.${server}.`));
      return has('everything') && !has('second');
    });
    await chat.clear();
  });

  it('a key runs a prompt with its arguments', async () => {
    await workbench.page.keyboard.press('Control+Alt+Digit9');
    await editors.waitForText("What's weather in Lisbon, Estremadura?");
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('the menu of a file gives it to a prompt', async () => {
    await workbench.runCommand('View: Show Explorer');
    await fromMenu('.explorer-folders-view .monaco-list-row', 'Use File in MCP Prompt…');
    await quickInput.pick('Arguments Prompt');
    await quickInput.pick('Leave empty');
    await editors.waitForText('notes.txt?');
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('the menu of a selection gives it to a prompt', async () => {
    await workbench.openFile('notes.txt');
    await workbench.page.locator('.part.editor .view-line').first().dblclick();
    await fromMenu('.part.editor .view-line', 'Use Selection in MCP Prompt…', 'Atlantis');
    await quickInput.pick('Arguments Prompt');
    await quickInput.pick('Leave empty');
    await editors.waitForText("What's weather in Atlantis?");
    await quickInput.cancel();
    await quickInput.waitForEnd();
    assert.equal(await dialog.isOpen(), false);
  });

  /** Chooses an entry in the context menu of what has `text`. */
  async function fromMenu(place: string, entry: string, text = 'notes.txt'): Promise<void> {
    const { page } = workbench;
    await page.locator(place, { hasText: text }).first().click({ button: 'right' });
    const item = page.locator('.monaco-menu .action-item', { hasText: entry });
    await item.waitFor();
    // A menu that has just been opened takes no click.
    await until('the menu to close', async () => {
      await item.click();
      return succeeds(item.waitFor({ state: 'hidden', timeout: 2_000 }));
    });
  }
});
