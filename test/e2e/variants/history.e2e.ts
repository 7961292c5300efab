// The history of calls: turned on by the user, there again after a reload, run again, compared, filtered, cleared. A secret
// that a tool returns is not in it: the scan at the end of the run looks through its files as well.
import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { typedSecrets } from '../../support/issuedSecrets.ts';
import { newFile } from '../support/ground.ts';
import { expectLines, scripted } from '../support/servers.ts';
import { eventually, inWindow } from '../support/workbench.ts';

const secret = 'barracuda-5512-Antofagasta';

describe('The call history', () => {
  const calls = newFile('calls.txt');
  const workbench = inWindow({
    servers: {
      keeper: {
        ...scripted('showcase.mjs', { CALLS: calls, TOKEN: '${input:token}', LEAK: '1' }),
        startup: 'manual',
      },
    },
    userSettings: {
      'mcpHost.inputs': [
        { id: 'token', type: 'promptString', description: 'Token', password: true },
      ],
    },
    workspaceSettings: { 'mcpHost.history.enabled': true },
  });
  const { tree, editors, dialog, quickInput, extension, notifications } = workbench;

  const folder = (): string =>
    path.join(workbench.server.profile, 'User/globalStorage/mcp-host.mcp-host/history');

  // A first try, or another window, may have left some.
  before(() => rm(folder(), { recursive: true, force: true }));

  it('is off until the user turns it on, whatever a workspace says', async () => {
    await tree.clickInlineAction('keeper', 'Start Server');
    await quickInput.expectTitle(/token/);
    typedSecrets.add(secret);
    await quickInput.enter(secret);
    await extension.waitForServer('keeper', 'ready');
    await run('refuse', 'out of paper');
    await workbench.runCommand('MCP Host: Show Call History');
    await notifications.answer('keep the inputs and results', 'Turn On');
    await eventually(
      () => tree.text(),
      (text) => assert.match(text, /No call of a tool is kept yet/),
    );
  });

  it('has a row for each call, with how it ended, its server and who asked', async () => {
    await addNote('Buy milk', false);
    await run('refuse', 'out of paper');
    await run('leak', 'It is');
    await addNote('Buy tea', true);
    await expectRows(['add_note', 'leak', 'refuse', 'add_note']);
    await tree.expectRow('refuse', /^keeper · \d\d:\d\d:\d\d · \d+ m?s · asked by you$/u);
  });

  it('is there after a reload, but for a line that is damaged; a row opens the result, without the secret that it had', async () => {
    await workbench.closeEditors();
    const [file = ''] = await readdir(folder());
    await appendFile(path.join(folder(), file), 'nonsense\n');
    await workbench.load();
    await expectRows(['add_note', 'leak', 'refuse', 'add_note']);
    await tree.clickRow('leak');
    const text = await editors.waitForText('Outcome: success');
    assert.match(text, /It is \*\*\*\./);
    assert.match(await tree.text(), /Lines that cannot be read: 1\./);
    const kept = await readFile(path.join(folder(), file), 'utf8');
    assert.match(kept, /It is \*\*\*\./);
    assert.ok(!kept.includes(secret));
  });

  it('Run Again starts the server, asks with the same input, and runs', async () => {
    await tree.clickInlineAction('add_note', 'Run Again');
    const { detail } = await dialog.expect(/Add a Note/);
    assert.match(detail, /"text": "Buy tea"/);
    await dialog.answer('Run');
    await editors.waitForText('Kept: Buy tea');
    await expectRows(['add_note', 'add_note', 'leak', 'refuse', 'add_note']);
    await expectLines(calls, ['refuse', 'add_note', 'refuse', 'leak', 'add_note', 'add_note']);
  });

  it('the filter looks into inputs, too; two results are compared', async () => {
    await workbench.runAsking('MCP Host: Filter Call History…');
    await quickInput.expectTitle(/Filter the call history/);
    await quickInput.enter('KEEPER milk');
    await expectRows(['add_note']);
    await eventually(
      () => tree.text(),
      (text) => assert.match(text, /1 of 5 calls have “KEEPER milk”/),
    );
    await tree.chooseInMenu('add_note', 'Compare Results');
    const items = await quickInput.waitForItems('the others', ({ length }) => length === 4);
    assert.deepEqual(items, ['add_note', 'add_note', 'leak', 'refuse']);
    await quickInput.accept();
    const diff = workbench.page.locator('.monaco-diff-editor');
    await eventually(
      async () => [
        await diff.locator('.editor.original .view-lines').innerText(),
        await diff.locator('.editor.modified .view-lines').innerText(),
      ],
      ([left = '', right = '']) => {
        assert.match(left, /Kept:.Buy.milk/u);
        assert.match(right, /Kept:.Buy.tea/u);
      },
    );
    await workbench.runCommand('MCP Host: Clear Filter of Call History');
    await expectRows(['add_note', 'add_note', 'leak', 'refuse', 'add_note']);
  });

  it('is cleared by one command, after a question', async () => {
    await workbench.runCommand('MCP Host: Clear Call History…');
    const { detail } = await dialog.expect(/Clear the call history/);
    // "Run Again" has added one.
    assert.match(detail, /^5 calls/);
    await dialog.answer('Clear');
    await expectRows([]);
  });

  async function run(tool: string, answer: string): Promise<void> {
    await workbench.chooseTool(tool);
    await dialog.answer('Run');
    await editors.waitForText(answer);
  }

  /** @param hasEarlier the tool was run before */
  async function addNote(text: string, hasEarlier: boolean): Promise<void> {
    await workbench.chooseTool('Add a Note');
    if (hasEarlier) await quickInput.pick('Fill In');
    await quickInput.expectTitle(/text/);
    await quickInput.fill(text);
    await quickInput.clickButton('Leave the others as they are');
    await dialog.answer('Run');
    await editors.waitForText(`Kept: ${text}`);
  }

  /** The calls, from top to bottom. */
  async function expectRows(tools: readonly string[]): Promise<void> {
    await eventually(
      async () => (await tree.rows()).filter(({ description }) => /asked by you/.test(description)),
      (rows) =>
        assert.deepEqual(
          rows.map(({ label }) => label),
          tools,
        ),
    );
  }
});
