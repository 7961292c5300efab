// What a screen reader reads, from the browser's accessibility tree: everything that can be used has a name in words.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { published, scripted } from '../support/servers.ts';
import { eventually, inWindow } from '../support/workbench.ts';

/** Roles of what can be used, or is read row by row. */
const named = new RegExp(
  `^\\s*- '?(${[
    'button',
    'checkbox',
    'combobox',
    'heading',
    'img',
    'link',
    'menuitem',
    'option',
    'radio',
    'row',
    'searchbox',
    'slider',
    'tab',
    'textbox',
    'treeitem',
  ].join('|')})\\b(.*)$`,
  'u',
);

describe('A screen reader', () => {
  const workbench = inWindow({
    servers: {
      everything: published('server-everything', 'stdio'),
      broken: scripted('crashing.mjs', { EXIT_IN_HANDSHAKE: '1' }),
      showcase: scripted('showcase.mjs'),
      clock: published('server-basic-react', '--stdio'),
    },
    ready: ['everything', 'showcase', 'clock'],
  });
  const { tree, editors, dialog, quickInput } = workbench;

  it('reads the rows of the view with their state, and their actions', async () => {
    await workbench.extension.waitForServer('broken', 'failed');
    await tree.expand('everything', 'Tools');
    await expectNamed(workbench.page.locator('.part.sidebar'), [
      'button "Add Server…"',
      'tree "Servers"',
      'treeitem "everything, ready"',
      /treeitem "Tools, \d+"/u,
      'treeitem "Echo Tool, tool, Echoes back the input string"',
      /treeitem "broken, failed"/u,
    ]);
    await expectNamed(workbench.page.locator('.part.statusbar'), [
      /button "MCP servers: .*3 ready/u,
    ]);
  });

  for (const [command, row] of [
    ['Add Server…', /option ".*Search, Look it up in a registry/u],
    ['Manage Approvals…', /option ".*everything, user settings · not trusted/u],
    ['Select Tools…', /checkbox "Echo Tool, Echoes back the input string" \[checked\]/u],
    ['Go to Resource…', /option ".*architecture\.md/u],
  ] as const) {
    it(`reads the list of ${command}`, async () => {
      await workbench.runCommand(`MCP Host: ${command}`);
      await expectNamed(workbench.page.locator('.quick-input-widget:visible'), [row]);
      await quickInput.cancel();
      await quickInput.waitForEnd();
    });
  }

  it('reads a question whole, and the app that comes of it', async () => {
    await workbench.chooseTool('Get Time');
    await dialog.expect('"Get Time"');
    await expectNamed(workbench.page.locator('.monaco-dialog-box'), [
      /dialog ".*Run .*Get Time.* on the MCP server .*clock/u,
      'button "Run"',
      'button "Deny"',
      'Server: clock (user settings) Tool: get-time',
    ]);
    await dialog.answer('Run');
    const app = await editors.webview('Get Server Time');
    await expectNamed(app.locator('body'), ['button "Get Server Time"']);
    const frame = app.parentFrame()?.locator('iframe');
    assert.match((await frame?.getAttribute('title')) ?? '', /\p{L}/u);
  });

  it('reads the form of a tool, and the page of its result', async () => {
    await workbench.chooseTool('Get Sum Tool');
    await quickInput.expectTitle(/Get Sum Tool/);
    await expectNamed(workbench.page.locator('.quick-input-widget:visible'), [
      /textbox "A number - everything: Get Sum Tool: a"/u,
      'First number (required, number)',
    ]);
    await quickInput.enter('2');
    await quickInput.expectTitle(/2\/2/);
    await quickInput.enter('3');
    await dialog.answer('Run', 'Get Sum Tool');
    const page = await editors.webview('The sum of 2 and 3 is 5');
    await expectNamed(page.locator('body'), [
      /heading ".*Get Sum Tool/u,
      'The sum of 2 and 3 is 5',
    ]);
    await workbench.closeEditors();
  });

  it('reads the page of a prompt', async () => {
    await tree.expand('everything', 'Prompts');
    await tree.clickRow('Simple Prompt');
    const page = await editors.webview('This is a simple prompt');
    await expectNamed(page.locator('body'), [
      /heading ".*Simple Prompt/u,
      'This is a simple prompt',
    ]);
    await expectNamed(workbench.page.locator('.quick-input-widget:visible'), [
      /option ".*Use in Chat/u,
    ]);
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('is not needed to run a tool by keys alone: the view, its row, the form, the question, the result', async () => {
    const { keyboard } = workbench.page;
    await tree.expand('everything', 'Tools');
    await workbench.runCommand('View: Focus into Primary Side Bar');
    await keyboard.press('Home');
    const focused = workbench.page.locator('.part.sidebar .monaco-list-row.focused');
    for (let row = 0; !(await focused.innerText()).startsWith('Echo Tool'); row += 1) {
      assert.ok(row < 60, 'no row of the tool');
      await keyboard.press('ArrowDown');
    }
    await keyboard.press('Enter');
    await quickInput.expectTitle(/Echo Tool/);
    await keyboard.type('by keys');
    await keyboard.press('Enter');
    await dialog.expect('Echo Tool');
    const button = workbench.page.locator('.monaco-dialog-box .monaco-button:focus');
    for (let tabs = 0; (await button.allInnerTexts()).join('') !== 'Run'; tabs += 1) {
      assert.ok(tabs < 10, 'the button cannot be reached');
      await keyboard.press('Tab');
    }
    await workbench.page.waitForTimeout(1_500); // an answer at once counts as a slip
    await keyboard.press('Enter');
    await editors.webview('Echo: by keys');
    await workbench.closeEditors();
  });

  it('reads the messages of a server', async () => {
    await tree.chooseInMenu('everything', 'Inspect Messages');
    const inspector = await editors.webview('The server is ready');
    await expectNamed(inspector.locator('body'), ['The server is ready']);
  });
});

/** Everything in it that can be used has a name, and these are among its lines. */
async function expectNamed(part: Locator, lines: readonly (string | RegExp)[]): Promise<void> {
  await eventually(
    () => part.ariaSnapshot(),
    (text) => {
      assert.deepEqual(text.split('\n').filter(isNameless), []);
      for (const line of lines) {
        assert.ok(
          typeof line === 'string' ? text.includes(line) : line.test(text),
          `${line} in ${text}`,
        );
      }
    },
  );
}

function isNameless(line: string): boolean {
  const words = named.exec(line)?.[2];
  return (
    words !== undefined &&
    (!/\p{L}/u.test(words.replace(/\[[^\]]*\]/gu, '')) || words.includes('$('))
  );
}
