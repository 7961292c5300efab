// Questions of every kind can be put off: each is counted, listed, and asked again with what was given so far.
import assert from 'node:assert/strict';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { typedSecrets } from '../../support/issuedSecrets.ts';
import { newFolder } from '../support/ground.ts';
import { expectLast, expectLines, scripted } from '../support/servers.ts';
import { eventually, inWindow, plainTyping } from '../support/workbench.ts';

describe('Questions that wait', () => {
  const folder = newFolder();
  const inFolder = (name: string): string => path.join(folder, name);
  const workbench = inWindow({
    servers: {
      vault: { ...scripted('showcase.mjs', { TOKEN: '${input:token}' }), startup: 'manual' },
      sampler: scripted('sampler.mjs', { FOLDER: folder }),
      booking: scripted('elicit.mjs', { ANSWERS: inFolder('answers.txt') }),
      notes: scripted('showcase.mjs', { CALLS: inFolder('calls.txt') }),
    },
    userSettings: {
      ...plainTyping,
      'mcpHost.inputs': [{ id: 'token', type: 'promptString', description: 'Token' }],
    },
    workspaceServers: { theirs: { ...scripted('showcase.mjs'), startup: 'manual' } },
    ready: ['sampler', 'booking', 'notes'],
  });
  const { tree, editors, dialog, quickInput, statusBar, extension, chat } = workbench;

  before(() => chat.open());

  it('a start that needs consent, and one that needs a value', async () => {
    await tree.clickInlineAction('theirs', 'Start Server');
    await dialog.answer('Later', 'Start the MCP server "theirs"');
    await statusBar.expect('1 MCP question');
    await tree.clickInlineAction('vault', 'Start Server');
    await quickInput.expectTitle(/"vault" needs a value: token/);
    await quickInput.clickButton('Later');
    await statusBar.expect('2 MCP questions');
  });

  it('a sampling request, and an elicitation, during which another server has to wait', async () => {
    await sample('n1', 'What is the capital of France?');
    await dialog.answer('Later', 'wants to use a language model');
    await statusBar.expect('3 MCP questions');
    await workbench.chooseTool('ask');
    await dialog.answer('Run', 'Run "ask"');
    await quickInput.expectTitle(/Name \(1\/9\)$/);
    await sample('n2', 'And of Peru?');
    await statusBar.expect('4 MCP questions');
    await quickInput.expectTitle(/Name \(1\/9\)$/);
    assert.equal(await dialog.isOpen(), false);
    await quickInput.clickButton('Later');
    const { detail } = await dialog.expect('wants to use a language model');
    assert.match(detail, /And of Peru\?/);
    await dialog.answer('Deny');
    await statusBar.expect('4 MCP questions');
  });

  it('a tool that the model calls', async () => {
    await chat.send('notes_add_note {"text": "Buy milk"}');
    const { buttons } = await dialog.expect('The model wants to run');
    assert.ok(buttons.includes('Later'), buttons.join());
    await dialog.answer('Later');
    await statusBar.expect('5 MCP questions');
  });

  it('all are listed with who asks and what, and the list closes none of them', async () => {
    await statusBar.click('MCP question');
    await quickInput.expectItems(['theirs', 'vault', 'sampler', 'booking', 'notes']);
    const expected = [
      'needs your consent to start',
      'needs a value',
      'asks to use a language model',
      'What is the capital of France?',
      'asks for your input',
      'a tool needs your approval',
    ];
    await eventually(
      () => quickInput.text(),
      (text) =>
        assert.deepEqual(
          expected.filter((words) => !text.includes(words)),
          [],
          text,
        ),
    );
    await quickInput.cancel();
    await statusBar.expect('5 MCP questions');
  });

  it('SAMP-02: opened again, a request is allowed; its answer can wait as well', async () => {
    await open('sampler');
    await dialog.answer('Review or Edit…', 'wants to use a language model');
    await quickInput.expectItem('Edit…');
    // The list takes the place of the review, which is put off with what it holds.
    await statusBar.click('MCP question');
    await quickInput.waitForItems('all', (all) => all.length === 5);
    await editors.expect([]);
    await quickInput.pick('sampler');
    await dialog.answer('Allow Once', 'wants to use a language model');
    await dialog.answer('Later', 'Send this answer');
    await statusBar.expect('5 MCP questions');
    await open('sampler');
    await dialog.answer('Send', 'Send this answer');
    await statusBar.expect('4 MCP questions');
    await eventually(
      () => readFile(path.join(folder, 'n1.reply.json'), 'utf8').catch(() => ''),
      (reply) => assert.match(reply, /"content":.*capital of France/),
    );
  });

  it('HOST-11, SEC-01: the others mean what is answered then, and nothing before', async () => {
    await expectLines(path.join(folder, 'calls.txt'), []);
    await open('notes');
    await dialog.answer('Run', 'The model wants to run');
    await chat.waitForAnswer('Buy milk');
    await open('vault');
    const secret = 'swordfish-4f1c07';
    typedSecrets.add(secret);
    await quickInput.enter(secret);
    await extension.waitForServer('vault', 'ready');
    await open('theirs');
    await dialog.answer('Allow', 'Start the MCP server "theirs"');
    await extension.waitForServer('theirs', 'ready');
    await statusBar.expect('1 MCP question');
    await statusBar.click('MCP question'); // the last one opens at once
    await quickInput.clickButton('Decline');
    await statusBar.expectNot('MCP question');
    await expectLast(path.join(folder, 'answers.txt'), '{"action":"decline"}');
  });

  async function open(server: string): Promise<void> {
    await statusBar.click('MCP question');
    await quickInput.pick(server);
  }

  async function sample(name: string, words: string): Promise<void> {
    const messages = [{ role: 'user', content: { type: 'text', text: words } }];
    const file = path.join(folder, `${name}.new`);
    await writeFile(file, JSON.stringify({ messages, maxTokens: 100 }));
    await rename(file, path.join(folder, `${name}.ask.json`));
  }
});
