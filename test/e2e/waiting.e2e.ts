// Questions of every kind can be put off: each is counted, listed, and asked again with what was given so far.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Chat } from './support/chat.ts';
import { ground } from './support/ground.ts';
import { linesOf, scripted } from './support/servers.ts';
import { openWorkbench, until } from './support/workbench.ts';
import type { Dialog, Workbench } from './support/workbench.ts';

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
    await workbench.showServers();
    for (const name of ['sampler', 'booking', 'notes']) {
      await workbench.waitForServer(name, 'ready', 30_000);
    }
    chat = new Chat(workbench);
    await chat.open();
  });

  after(() => workbench.close());

  it('a start that needs consent, and one that needs a value', async () => {
    await workbench.clickInlineAction('theirs', 'Start Server');
    await dialogWith('Start the MCP server "theirs"');
    await workbench.answerDialog('Later');
    await counted('1 MCP question');
    await workbench.clickInlineAction('vault', 'Start Server');
    assert.match(await workbench.quickInput.title(), /"vault" needs a value: token/);
    await workbench.screenshot('waiting-input');
    await stepButton('Later');
    await counted('2 MCP questions');
  });

  it('a sampling request, edited or not, and an elicitation', async () => {
    await sample('n1', 'What is the capital of France?');
    await dialogWith('wants to use a language model');
    await workbench.answerDialog('Later');
    await counted('3 MCP questions');
    await workbench.runCommand('MCP Host: Run Tool…');
    await workbench.quickInput.fill('ask');
    await workbench.quickInput.pick('ask');
    await dialogWith('Run "ask"');
    await workbench.answerDialog('Run');
    await until(
      'the form',
      () => workbench.quickInput.title(),
      (title) => title.endsWith('Name (1/9)'),
    );
    await stepButton('Later');
    await counted('4 MCP questions');
  });

  it('a tool that the model calls', async () => {
    await chat.send('notes_add_note {"text": "Buy milk"}');
    const { buttons } = await dialogWith('The model wants to run');
    assert.ok(buttons.includes('Later'), buttons.join());
    await workbench.answerDialog('Later');
    await counted('5 MCP questions');
  });

  it('all are listed with who asks and what, and the list closes none of them', async () => {
    await workbench.clickStatusBar('MCP question');
    const items = await workbench.quickInput.waitForItems('all', (all) => all.length === 5);
    await workbench.screenshot('waiting-list');
    assert.deepEqual(items, ['theirs', 'vault', 'sampler', 'booking', 'notes']);
    const text = await workbench.page.locator('.quick-input-widget:visible').innerText();
    for (const words of [
      'is to start',
      'needs a value',
      'asks for a language model',
      'What is the capital of France?',
      'asks for your input',
      'a tool is to run',
    ]) {
      assert.ok(text.includes(words), `${words} is not in ${text}`);
    }
    await workbench.quickInput.cancel();
    await counted('5 MCP questions');
  });

  it('SAMP-02: opened again, a request is allowed; its answer can wait as well', async () => {
    await open('sampler');
    await dialogWith('wants to use a language model');
    await workbench.answerDialog('Review or Edit…');
    await workbench.quickInput.waitForItems('what can be done', (all) => all.includes('Edit…'));
    // The list takes the place of the review, which is put off with what it holds.
    await workbench.clickStatusBar('MCP question');
    await workbench.quickInput.waitForItems('all', (all) => all.length === 5);
    assert.deepEqual(await workbench.editorTitles(), []);
    await workbench.quickInput.pick('sampler');
    await dialogWith('wants to use a language model');
    await workbench.answerDialog('Allow Once');
    await dialogWith('Send this answer');
    await workbench.screenshot('waiting-answer');
    await workbench.answerDialog('Later');
    await counted('5 MCP questions');
    await open('sampler');
    await dialogWith('Send this answer');
    await workbench.answerDialog('Send');
    await counted('4 MCP questions');
    const reply = JSON.parse(await readFile(path.join(folder, 'n1.reply.json'), 'utf8'));
    assert.match(JSON.stringify(reply.result.content), /capital of France/);
  });

  it('HOST-11, SEC-01: the others mean what is answered then, and nothing before', async () => {
    assert.deepEqual(await linesOf(path.join(folder, 'calls.txt')), []);
    await open('notes');
    await dialogWith('The model wants to run');
    await workbench.answerDialog('Run');
    await chat.waitForAnswer('Buy milk');
    await open('vault');
    await workbench.quickInput.fill('swordfish');
    await workbench.quickInput.accept();
    await workbench.waitForServer('vault', 'ready');
    await open('theirs');
    await dialogWith('Start the MCP server "theirs"');
    await workbench.answerDialog('Allow');
    await workbench.waitForServer('theirs', 'ready');
    await counted('1 MCP question');
    await open('booking');
    await stepButton('Decline');
    await until(
      'no question to wait',
      () => workbench.statusBar(),
      (texts) => !texts.some((text) => text.includes('MCP question')),
    );
    await until(
      'the answer at the server',
      () => linesOf(path.join(folder, 'answers.txt')),
      (lines) => lines.at(-1) === '{"action":"decline"}',
    );
  });

  async function open(server: string): Promise<void> {
    await workbench.clickStatusBar('MCP question');
    await workbench.quickInput.pick(server);
  }

  async function counted(text: string): Promise<void> {
    await until(
      text,
      () => workbench.statusBar(),
      (texts) => texts.some((shown) => shown.includes(text)),
    );
  }

  function dialogWith(part: string): Promise<Dialog> {
    return until(
      `the dialog "${part}"`,
      () => workbench.dialog(),
      ({ message }) => message.includes(part),
    );
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
