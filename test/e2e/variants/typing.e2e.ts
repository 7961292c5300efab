// Whoever goes on typing while a server's question appears has answered nothing: what has the focus commits nothing, and a
// form that comes unasked takes no key. Calls of the model are in chat.e2e.ts, starts of servers in consent.e2e.ts.
import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { typeThrough } from '../support/typeThrough.ts';
import { newFolder } from '../support/ground.ts';
import { expectLines, scripted } from '../support/servers.ts';
import { eventually, inWindow, plainTyping } from '../support/workbench.ts';

describe('Typing answers no question', () => {
  const folder = newFolder();
  const inFolder = (name: string): string => path.join(folder, name);
  const workbench = inWindow({
    servers: {
      sampler: scripted('sampler.mjs', { FOLDER: folder }),
      booking: scripted('elicit.mjs', { ANSWERS: inFolder('answers.txt') }),
    },
    userSettings: plainTyping,
    ready: ['sampler', 'booking'],
  });
  const { dialog, quickInput, notifications, statusBar, chat } = workbench;

  before(() => chat.open());

  it('ELIC-25: no page is opened', async () => {
    await chat.send('booking_link {}');
    await dialog.answer('Run');
    const before = workbench.page.context().pages().length;
    await typeThrough(workbench, 'asks you to open a page');
    assert.equal(workbench.page.context().pages().length, before);
    await dialog.answer('Decline');
    await expectLines(inFolder('answers.txt'), ['{"action":"decline"}']);
  });

  it('SAMP-02: nothing goes to a model, and no answer to the server', async () => {
    await sample('n1', 'What is the capital of France?');
    await typeThrough(workbench, 'wants to use a language model');
    await expectNoReply();
    await dialog.answer('Allow Once');
    await typeThrough(workbench, 'Send this answer');
    await expectNoReply();
    await dialog.answer('Discard');
  });

  it('ELIC-05: a form that comes unasked is announced, and takes no key', async () => {
    await chat.send('booking_ask {}');
    await dialog.answer('Run');
    await chat.clear();
    const typed = 'hello there, this is for the model ';
    await chat.type(typed);
    await statusBar.expect('1 MCP question');
    await chat.type('and so is this');
    await eventually(
      () => chat.inputText(),
      (text) => assert.equal(text, `${typed}and so is this`),
    );
    await expectLines(inFolder('answers.txt'), ['{"action":"decline"}']);
    await notifications.answer('"booking" asks for your input', 'Answer');
    await quickInput.expectTitle(/Name \(1\/9\)$/);
    await quickInput.expectValue('');
    await quickInput.clickButton('Decline');
    await statusBar.expectNot('MCP question');
  });

  async function expectNoReply(): Promise<void> {
    await expectLines(inFolder('n1.reply.json'), []);
  }

  async function sample(name: string, words: string): Promise<void> {
    const messages = [{ role: 'user', content: { type: 'text', text: words } }];
    const file = inFolder(`${name}.new`);
    await writeFile(file, JSON.stringify({ messages, maxTokens: 100 }));
    await rename(file, inFolder(`${name}.ask.json`));
  }
});
