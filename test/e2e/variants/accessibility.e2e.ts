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
      'treeitem "everything, ready, user settings"',
      /treeitem "Tools, \d+"/u,
      'treeitem "Echo Tool, tool, Echoes back the input string"',
      /treeitem "broken, failed.*, user settings"/u,
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
