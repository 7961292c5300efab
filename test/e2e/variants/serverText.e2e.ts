// A server whose every word would like to be more than a word: what a user sees of it is plain, short, and whole on demand.
import assert from 'node:assert/strict';
import { scripted } from '../support/servers.ts';
import { inWindow, until } from '../support/workbench.ts';

/** How the words look that would like to be an icon and a command. */
const plain = '$ (trash) [Close] (command:workbench.action.closeWindow)';
const hides = /[\u202e\u200b]/u;

/** No server text can push the rest out of sight, hide, or reorder. */
function short(text: string, maxLength: number): void {
  assert.ok(text.length < maxLength, `${text.length} characters:\n${text}`);
  assert.ok(text.split('\n').length < 130, text);
  assert.doesNotMatch(text, hides);
  assert.doesNotMatch(text, /THE-END/);
}

describe('Text of a hostile server', () => {
  const workbench = inWindow({
    servers: { hostile: scripted('hostile.mjs') },
    ready: ['hostile'],
  });
  const { tree, editors, dialog, quickInput, notifications } = workbench;

  before(async () => {
    await tree.expand('hostile');
    // Lines move as long as lists come.
    await tree.expectRow('Tools', '4');
    await tree.expectRow('Prompts', '1');
    await tree.expectRow('Resources', '1');
    await tree.expand('Resources');
    await tree.expand('Prompts');
    await tree.expand('Tools');
  });

  it('HOST-06: lines of the tree are short and plain; the whole text is one click away', async () => {
    const rows = await tree.waitForRows('the lines', (all) =>
      all.some(({ label }) => label.startsWith('fail')),
    );
    for (const { label, description } of rows.filter(({ level }) => level === 3)) {
      assert.match(label, /\$ \(trash\)/);
      assert.doesNotMatch(label + description, hides);
      assert.ok(label.length <= 100 && description.length <= 120);
    }
    await nothingToClick('.sidebar .monaco-list-row .label-name, .sidebar .label-description');
    const label = rows.find((row) => row.label.startsWith('form'))?.label ?? '';
    const tooltip = await tree.tooltip(label, 'Show Details');
    assert.ok(tooltip.length < 3_000, `${tooltip.length} characters`);
    await nothingToClick('.monaco-hover:visible');
    for (const row of rows.filter(({ level }) => level === 3)) {
      await tree.clickInlineAction(row.label, 'Show Details');
      await editors.waitForText('- Server: `hostile`');
      await endIsThere();
    }
  });

  it('TOOL-06: the question before a tool cuts its description and opens it', async () => {
    await run('form');
    const { message, detail, buttons } = await dialog.expect();
    assert.ok(message.includes(plain), message);
    short(detail, 1_500);
    assert.deepEqual(buttons.toSorted(), ['Deny', 'Edit Input…', 'Run', 'Show All…']);
    await dialog.answer('Show All…');
    await editors.waitForText('- Server: `hostile`');
    await quickInput.pick('Back to the Question');
    await dialog.answer('Deny');
  });

  it('ELIC-07: a form says what it can and opens the rest; nothing in it can be clicked', async () => {
    await run('form');
    await dialog.answer('Run');
    await quickInput.expectTitle(/^MCP server "hostile" \(node\): \$ \(trash\)/);
    const text = await until(
      'the message',
      () => quickInput.message(),
      (shown) => shown.includes('“'),
    );
    short(text, 1_000);
    await nothingToClick('.quick-input-widget:visible .quick-input-message');
    await quickInput.clickButton('Show the whole message');
    await editors.waitForText('MCP server "hostile" (node) says:');
    await nothingToClick('.part.editor', '.detected-link');
    await quickInput.accept();
    const items = await quickInput.waitForItems('the choices', (all) =>
      all.some((item) => item.includes(plain)),
    );
    assert.equal(items.length, 3);
    await nothingToClick('.quick-input-widget:visible .label-name');
    await quickInput.clickButton('Decline');
    await result();
  });

  it('ELIC-23, ELIC-25: the question before a page cuts URL and message and opens both', async () => {
    await run('link');
    await dialog.answer('Run');
    const { message, detail } = await dialog.expect('asks you to open a page');
    assert.match(message, /on shop\.example\./);
    short(detail, 4_500);
    await dialog.answer('Show All…');
    await editors.waitForText('Full URL:');
    await nothingToClick('.part.editor', '.detected-link');
    await quickInput.pick('Back to the Question');
    await dialog.answer('Decline', 'asks you to open a page');
    await result();
  });

  it('SAMP-02, SAMP-04: requests and answers are cut, in a border of their own', async () => {
    await run('sample');
    await dialog.answer('Run');
    const { detail } = await dialog.expect('wants to use a language model');
    short(detail, 6_000);
    assert.match(detail, /more characters: see Review/);
    for (const line of detail.split('\n').filter((one) => one.includes('[Close]'))) {
      assert.match(line, /^│ |^Answer: /);
    }
    await dialog.answer('Allow Once');
    const shown = await dialog.expect('Send this answer');
    short(shown.detail, 3_000);
    await dialog.answer('Discard');
    await result();
  });

  it('HOST-06: an error that a server words is a sentence without links', async () => {
    await run('fail');
    await dialog.answer('Run');
    const text = await notifications.waitFor('" failed: ');
    short(text, 600);
    assert.match(text, /^MCP server "hostile": "fail .*" failed: .*\$ \(trash\)/su);
    await nothingToClick('.notifications-toasts .notification-list-item-message');
  });

  async function run(tool: string): Promise<void> {
    const rows = await tree.rows();
    const label = rows.find((row) => row.label.startsWith(`${tool} `))?.label ?? tool;
    await tree.clickInlineAction(label, 'Run Tool');
    await dialog.expect();
  }

  /** Waits for the page with the result, which takes the focus. */
  async function result(): Promise<void> {
    assert.match(await editors.waitForText('Success ·'), /THE-END/);
    await workbench.page.keyboard.press('Control+F4');
  }

  async function nothingToClick(within: string, what = 'a, .codicon-trash, b'): Promise<void> {
    const found = workbench.page.locator(within).locator(what);
    assert.equal(await found.count(), 0, `${what} in ${within}`);
  }

  async function endIsThere(): Promise<void> {
    await workbench.page.locator('.part.editor .monaco-editor .view-lines').first().click();
    await workbench.page.keyboard.press('Control+Home');
    await workbench.page.keyboard.press('Control+F');
    const find = workbench.page.locator('.find-widget.visible textarea').first();
    await find.fill('THE-END');
    await until(
      'the end of the text',
      () => workbench.page.locator('.find-widget.visible .matchesCount').innerText(),
      (text) => /of [1-9]/.test(text),
    );
    await workbench.page.keyboard.press('Escape');
  }
});
