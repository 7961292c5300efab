// Questions of every kind can be put off: each is counted, listed, and asked again with what was given so far.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { typedSecrets } from '../../support/issuedSecrets.ts';
import { Chat } from '../support/chat.ts';
import { ground } from '../support/ground.ts';
import { expectLines, linesOf, scripted } from '../support/servers.ts';
import { eventually, openWorkbench, until } from '../support/workbench.ts';
import type { Workbench } from '../support/workbench.ts';

describe('Questions that wait', () => {
  let workbench: Workbench;
  let chat: Chat;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(ground().folder, 'waiting-'));
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': {
          vault: { ...scripted('showcase.mjs', { TOKEN: '${input:token}' }), startup: 'manual' },
          sampler: scripted('sampler.mjs', { FOLDER: folder }),
          booking: scripted('elicit.mjs', { ANSWERS: path.join(folder, 'answers.txt') }),
          notes: scripted('showcase.mjs', { CALLS: path.join(folder, 'calls.txt') }),
        },
        'mcpHost.inputs': [{ id: 'token', type: 'promptString', description: 'Token' }],
        'editor.autoClosingBrackets': 'never',
        'editor.autoClosingQuotes': 'never',
      },
      workspaceSettings: {
        'mcpHost.servers': { theirs: { ...scripted('showcase.mjs'), startup: 'manual' } },
      },
    });
    await workbench.tree.show();
    for (const name of ['sampler', 'booking', 'notes']) {
      await workbench.extension.waitForServer(name, 'ready');
    }
    chat = new Chat(workbench);
    await chat.open();
  });

  after(() => workbench.close());

  it('a start that needs consent, and one that needs a value', async () => {
    await workbench.tree.clickInlineAction('theirs', 'Start Server');
    await workbench.dialog.answer('Later', 'Start the MCP server "theirs"');
    await workbench.statusBar.expect('1 MCP question');
    await workbench.tree.clickInlineAction('vault', 'Start Server');
    await workbench.quickInput.expectTitle(/"vault" needs a value: token/);
    await workbench.screenshot('waiting-input');
    await stepButton('Later');
    await workbench.statusBar.expect('2 MCP questions');
  });

  it('a sampling request, and an elicitation, during which another server has to wait', async () => {
    await sample('n1', 'What is the capital of France?');
    await workbench.dialog.answer('Later', 'wants to use a language model');
    await workbench.statusBar.expect('3 MCP questions');
    await workbench.runCommand('MCP Host: Run Tool…');
    await workbench.quickInput.fill('ask');
    await workbench.quickInput.pick('ask');
    await workbench.dialog.answer('Run', 'Run "ask"');
    await workbench.quickInput.expectTitle(/Name \(1\/9\)$/);
    await sample('n2', 'And of Peru?');
    await workbench.statusBar.expect('4 MCP questions');
    await workbench.quickInput.expectTitle(/Name \(1\/9\)$/);
    assert.equal(await workbench.dialog.isOpen(), false);
    await workbench.screenshot('waiting-two-servers');
    await stepButton('Later');
    const { detail } = await workbench.dialog.expect('wants to use a language model');
    assert.match(detail, /And of Peru\?/);
    await workbench.dialog.answer('Deny');
    await workbench.statusBar.expect('4 MCP questions');
  });

  it('a tool that the model calls', async () => {
    await chat.send('notes_add_note {"text": "Buy milk"}');
    const { buttons } = await workbench.dialog.expect('The model wants to run');
    assert.ok(buttons.includes('Later'), buttons.join());
    await workbench.dialog.answer('Later');
    await workbench.statusBar.expect('5 MCP questions');
  });

  it('all are listed with who asks and what, and the list closes none of them', async () => {
    await workbench.statusBar.click('MCP question');
    await workbench.quickInput.expectItems(['theirs', 'vault', 'sampler', 'booking', 'notes']);
    await workbench.screenshot('waiting-list');
    const expected = [
      'needs your consent to start',
      'needs a value',
      'asks to use a language model',
      'What is the capital of France?',
      'asks for your input',
      'a tool needs your approval',
    ];
    await eventually(
      () => workbench.page.locator('.quick-input-widget:visible').innerText(),
      (text) =>
        assert.deepEqual(
          expected.filter((words) => !text.includes(words)),
          [],
          text,
        ),
    );
    await workbench.quickInput.cancel();
    await workbench.statusBar.expect('5 MCP questions');
  });

  it('SAMP-02: opened again, a request is allowed; its answer can wait as well', async () => {
    await open('sampler');
    await workbench.dialog.answer('Review or Edit…', 'wants to use a language model');
    await workbench.quickInput.waitForItems('what can be done', (all) => all.includes('Edit…'));
    // The list takes the place of the review, which is put off with what it holds.
    await workbench.statusBar.click('MCP question');
    await workbench.quickInput.waitForItems('all', (all) => all.length === 5);
    await workbench.editors.expect([]);
    await workbench.quickInput.pick('sampler');
    await workbench.dialog.answer('Allow Once', 'wants to use a language model');
    await workbench.dialog.expect('Send this answer');
    await workbench.screenshot('waiting-answer');
    await workbench.dialog.answer('Later');
    await workbench.statusBar.expect('5 MCP questions');
    await open('sampler');
    await workbench.dialog.answer('Send', 'Send this answer');
    await workbench.statusBar.expect('4 MCP questions');
    await eventually(
      () => readFile(path.join(folder, 'n1.reply.json'), 'utf8').catch(() => ''),
      (reply) => assert.match(reply, /"content":.*capital of France/),
    );
  });

  it('HOST-11, SEC-01: the others mean what is answered then, and nothing before', async () => {
    await expectLines(path.join(folder, 'calls.txt'), []);
    await open('notes');
    await workbench.dialog.answer('Run', 'The model wants to run');
    await chat.waitForAnswer('Buy milk');
    await open('vault');
    const secret = 'swordfish-4f1c07';
    typedSecrets.add(secret);
    await workbench.quickInput.enter(secret);
    await workbench.extension.waitForServer('vault', 'ready');
    await open('theirs');
    await workbench.dialog.answer('Allow', 'Start the MCP server "theirs"');
    await workbench.extension.waitForServer('theirs', 'ready');
    await workbench.statusBar.expect('1 MCP question');
    await open('booking');
    await stepButton('Decline');
    await workbench.statusBar.expectNot('MCP question');
    await until(
      'the answer at the server',
      () => linesOf(path.join(folder, 'answers.txt')),
      (lines) => lines.at(-1) === '{"action":"decline"}',
    );
  });

  async function open(server: string): Promise<void> {
    await workbench.statusBar.click('MCP question');
    await workbench.quickInput.pick(server);
  }

  async function stepButton(tooltip: string): Promise<void> {
    await workbench.page
      .locator(`.quick-input-widget:visible .quick-input-titlebar [aria-label^="${tooltip}"]`)
      .click();
  }

  async function sample(name: string, words: string): Promise<void> {
    const messages = [{ role: 'user', content: { type: 'text', text: words } }];
    const file = path.join(folder, `${name}.new`);
    await writeFile(file, JSON.stringify({ messages, maxTokens: 100 }));
    await rename(file, path.join(folder, `${name}.ask.json`));
  }
});
