// The messages of a server, in an editor: what it shows, filter, pause, replay, export, and a restart of the server.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { newFile } from '../support/ground.ts';
import { expectLines, scripted } from '../support/servers.ts';
import { eventually, inWindow, until } from '../support/workbench.ts';

describe('The inspector of messages', () => {
  const calls = newFile('calls.txt');
  const workbench = inWindow({
    servers: {
      showcase: scripted('showcase.mjs', { CALLS: calls, TOKEN: 'inspected-token-value' }),
      pages: scripted('appServer.mjs'),
    },
    // The editor's own chat would be one more client, with rows at times of its own.
    userSettings: { 'mcpHost.bridge.enabled': false },
    ready: ['showcase', 'pages'],
  });
  const { tree, editors, dialog, quickInput, notifications, extension } = workbench;

  it('opens from the row of a server, and goes on with a new connection: its messages, its events', async () => {
    await tree.chooseInMenu('showcase', 'Inspect Messages');
    // What came before it was opened.
    await rowsWith(
      /^↑ initialize ?Request.*OK.*ms.*2025-11-25/u,
      'The server is ready: revision 2025-11-25 over stdio',
    );
    await tree.clickInlineAction('showcase', 'Restart Server');
    await extension.waitForServer('showcase', 'ready');
    await rowsWith(
      'The server is starting',
      /^↑ initialize ?Request.*OK.*ms.*2025-11-25/u,
      /^↓ tools\/list ?Response.*OK/u,
    );
  });

  it('shows a message in full, its other half a click away, and moves by the arrow keys', async () => {
    await clickRow('initialize');
    const detail = await detailWith('protocolVersion');
    assert.match(detail, /Request: initialize/);
    assert.match(detail, /To the server/);
    assert.match(detail, /2025-11-25 \(legacy\)/);
    const [, time = 'none'] = /\d{4}-\d\d-\d\d (\d\d:\d\d:\d\d\.\d{3})/u.exec(detail) ?? [];
    assert.ok(
      (await rowTexts()).some((row) => row.startsWith('↑ initialize') && row.includes(time)),
      `${time} is in no row`,
    );
    await clickAction('Show Response');
    await detailWith('serverInfo');
    await press('ArrowDown');
    await detailWith('notifications/initialized');
    const list = (await page()).locator('#list');
    assert.match((await list.getAttribute('aria-activedescendant')) ?? '', /^row-\d+$/u);
  });

  it('filters by text, method, direction and errors', async () => {
    const { text, method, direction, errors } = await fields();
    await text.fill('Keeps a note');
    await eventually(rowTexts, (rows) => {
      assert.ok(rows.length > 0);
      assert.deepEqual(
        // The request of a response may have been sent before the inspector was there.
        rows.filter((row) => !/^↓ (?:tools\/list|\(unknown request\))/u.test(row)),
        [],
      );
    });
    await text.fill('');
    await method.selectOption('tools/list');
    await direction.selectOption('sent');
    await eventually(rowTexts, (rows) => {
      assert.ok(rows.length > 0);
      assert.deepEqual(
        rows.filter((row) => !row.startsWith('↑ tools/list')),
        [],
      );
    });
    await method.selectOption('');
    await direction.selectOption('app');
    await expectText('No message matches the filter.');
    await direction.selectOption('any');
    await errors.check();
    await expectText('No message matches the filter.');
    await errors.uncheck();
    await rowsWith('initialize');
  });

  it('sends a call again when the user allows it: with an id of its own, and marked', async () => {
    await tree.expand('showcase', 'Tools');
    await tree.clickInlineAction('Draw', 'Run Tool');
    await dialog.answer('Run');
    await editors.webview('Here it is:');
    await workbench.runCommand('View: Close Editor');
    await clickRow('tools/call');
    await detailWith('Request: tools/call draw');
    await clickAction('Replay');
    const { message } = await dialog.expect();
    assert.match(message, /"Draw"/);
    await dialog.answer('Deny');
    await clickAction('Replay');
    await dialog.answer('Run');
    const rows = await until('the replay', rowTexts, (texts) =>
      texts.some((row) => /^↓ tools\/call.*replay/u.test(row)),
    );
    assert.equal(rows.filter((row) => row.startsWith('↑ tools/call')).length, 2);
    await expectLines(calls, ['draw', 'draw']);
  });

  it('is paused, and shows what came meanwhile when it goes on', async () => {
    await clickButton('pause');
    await expectText('paused, ');
    const before = await rowTexts();
    await tree.clickInlineAction('showcase', 'Restart Server');
    await extension.waitForServer('showcase', 'ready');
    await until('messages that wait', countsText, (text) => /paused, [1-9]\d* new/u.test(text));
    assert.deepEqual(await rowTexts(), before);
    await clickButton('pause');
    await until('the rows that waited', countsText, (text) => /^\d+ entries$/u.test(text));
  });

  it('exports what is shown as JSON Lines', async () => {
    const { text } = await fields();
    await text.fill('initialize');
    await until('the filter', countsText, (shown) => / of /u.test(shown));
    await clickButton('export');
    const file = path.join(workbench.folder, 'showcase-messages.jsonl');
    await quickInput.expectValue(file);
    await quickInput.accept();
    await until('the file', async () => existsSync(file), Boolean);
    const lines = await eventually(
      async () => (await readFile(file, 'utf8')).trim().split('\n'),
      (all) => assert.ok(all.length >= 4),
    );
    const entries = lines.map((line): Record<string, unknown> => JSON.parse(line));
    assert.ok(entries.some(({ method, type }) => method === 'initialize' && type === 'response'));
    assert.ok(!lines.join('\n').includes('inspected-token-value'));
    await notifications.waitFor('Saved as showcase-messages.jsonl');
    await notifications.clear();
    await text.fill('');
    await until('all rows', countsText, (shown) => /^\d+ entries$/u.test(shown));
  });

  it('sends a list again with other parameters, which fit no server: its answer is a row', async () => {
    await tree.clickInlineAction('showcase', 'Restart Server');
    await extension.waitForServer('showcase', 'ready');
    await clickRow('tools/list');
    await clickAction('Edit and Replay…');
    await editors.waitForText('{}');
    await editors.fill('{ "cursor": "nowhere" }');
    await editors.clickAction('Use Edited Text');
    await detailWith('"nowhere"');
  });

  it('is there once after a reload of the window, and sees the server that starts', async () => {
    await expectTabs('Messages of showcase');
    await workbench.reload();
    await extension.waitForServer('showcase', 'ready');
    await rowsWith('The server is ready');
    await tree.chooseInMenu('showcase', 'Inspect Messages');
    await expectTabs('Messages of showcase');
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
    await tree.clickInlineAction('showcase', 'Restart Server');
    await rowsWith('The server is being stopped', 'tools/list');
    await clickRow('tools/list');
  });

  it('is closed while a request is edited: then nothing is sent', async () => {
    await clickRow('tools/list');
    await clickAction('Edit and Replay…');
    await editors.waitForText('{}');
    await editors.close('Messages of showcase');
    await editors.clickAction('Use Edited Text');
    await editors.expect([]);
    await notifications.expect([]);
    await tree.chooseInMenu('showcase', 'Inspect Messages');
    const rows = await rowsWith('The server is ready');
    assert.equal(rows.filter((row) => row.startsWith('↑ tools/list')).length, 1, rows.join('\n'));
  });

  it('forgets by Clear, and begins with what came while it was closed', async () => {
    await clickButton('clear');
    await expectText('No messages yet.');
    await workbench.closeEditors();
    await workbench.chooseTool('refuse');
    await dialog.answer('Run');
    await editors.waitForText('out of paper');
    await workbench.closeEditors();
    await tree.chooseInMenu('showcase', 'Inspect Messages');
    const rows = await rowsWith(/^↓ tools\/call refuse ?Response.*isError/u);
    assert.deepEqual(
      rows.filter((row) => row.includes('tools/list')),
      [],
    );
  });

  it('is no second one where the first is behind another editor after a reload', async () => {
    await workbench.runCommand('File: New Untitled Text File');
    await expectTabs('Messages of showcase', 'Untitled-1');
    await workbench.reload();
    await extension.waitForServer('showcase', 'ready');
    await tree.chooseInMenu('showcase', 'Inspect Messages');
    await rowsWith('The server is ready');
    await expectTabs('Untitled-1', 'Messages of showcase');
    await workbench.runCommand('View: Close Other Editors in Group');
    await expectTabs('Messages of showcase');
  });

  it('APP-77: shows what an app and its host say to each other as directions of their own', async () => {
    await workbench.closeEditors();
    // What apps say is kept while it is open.
    await tree.chooseInMenu('pages', 'Inspect Messages');
    await rowsWith('The server is ready');
    await workbench.chooseTool('talk');
    await dialog.answer('Run');
    await editors.webview('The result of talk');
    await tree.chooseInMenu('pages', 'Inspect Messages');
    const { direction } = await fields();
    await direction.selectOption('app');
    await until(
      'the messages of the app alone',
      () =>
        rowsWith(
          /^⇠ ui\/initialize ?Request/u,
          /^⇢ ui\/initialize ?Response/u,
          /^⇢ ui\/notifications\/tool-result/u,
        ),
      (rows) => rows.every((row) => /^[⇠⇢]/u.test(row)),
    );
  });

  /** The page's frame, which a reload replaces. */
  function page(): Promise<Frame> {
    return editors.webview('Errors only');
  }

  async function fields(): Promise<
    Readonly<Record<'text' | 'method' | 'direction' | 'errors', Locator>>
  > {
    const frame = await page();
    const at = (id: string): Locator => frame.locator(`#${id}`);
    return {
      text: at('text'),
      method: at('method'),
      direction: at('direction'),
      errors: at('errors'),
    };
  }

  /** By their labels: the page of an inspector has no name of a file. */
  async function expectTabs(...labels: readonly string[]): Promise<void> {
    const tabs = workbench.page.locator('.part.editor .tabs-container .tab .label-name');
    await eventually(
      () => tabs.allTextContents(),
      (shown) => assert.deepEqual(shown, labels),
    );
  }

  /** The rows in view, each as a line. */
  async function rowTexts(): Promise<readonly string[]> {
    const frame = await page();
    const texts = await frame
      .locator('#rows > .row')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.children].map(({ textContent }) => textContent).join(' ')),
      );
    return texts.map((text) => text.replaceAll(/\s+/gu, ' ').trim());
  }

  function rowsWith(...parts: readonly (string | RegExp)[]): Promise<readonly string[]> {
    return until(`rows with ${parts.join(', ')}`, rowTexts, (rows) =>
      parts.every((part) =>
        rows.some((row) => (typeof part === 'string' ? row.includes(part) : part.test(row))),
      ),
    );
  }

  /** The last row of a method. It may be drawn anew at any time. */
  async function clickRow(method: string): Promise<void> {
    const title = new RegExp(`Request: ${method}`, 'u');
    await until(
      `the request ${method} in detail`,
      async () => {
        const frame = await page();
        const name = frame.locator('.method', {
          hasText: new RegExp(`^${method}(?: \\S+)?\\s*Request`, 'u'),
        });
        const row = frame.locator('#rows > .row.sent').filter({ has: name }).last();
        await row.click({ timeout: 2_000 }).catch(() => undefined);
        return detailText();
      },
      (text) => title.test(text),
    );
  }

  async function detailText(): Promise<string> {
    const frame = await page();
    return frame
      .locator('#detail')
      .innerText({ timeout: 2_000 })
      .catch(() => '');
  }

  function detailWith(part: string): Promise<string> {
    return until(`"${part}" in detail`, detailText, (text) => text.includes(part));
  }

  async function clickAction(label: string): Promise<void> {
    const frame = await page();
    await frame.locator('#detail button').getByText(label, { exact: true }).click();
  }

  async function clickButton(id: string): Promise<void> {
    await (await page()).locator(`#${id}`).click();
  }

  async function press(key: string): Promise<void> {
    await (await page()).locator('#list').press(key);
  }

  async function countsText(): Promise<string> {
    const frame = await page();
    return frame
      .locator('#counts')
      .innerText({ timeout: 2_000 })
      .catch(() => '');
  }

  async function expectText(part: string): Promise<void> {
    await until(
      `"${part}"`,
      async () => (await page()).locator('body').innerText(),
      (text) => text.includes(part),
    );
  }
});
