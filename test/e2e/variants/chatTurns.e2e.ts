// Earlier turns of a conversation with @mcp: done again, edited, exported, summarized when they are too long.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { newFile } from '../support/ground.ts';
import { expectLines, scripted } from '../support/servers.ts';
import { eventually, inWindow, plainTyping, until } from '../support/workbench.ts';

describe('Earlier turns in chat', () => {
  const calls = newFile('calls.txt');
  const workbench = inWindow({
    servers: { showcase: scripted('showcase.mjs', { CALLS: calls }) },
    userSettings: { ...plainTyping, 'mcpHostDemo.maxInputTokens': 2_800 },
    ready: ['showcase'],
  });
  const { dialog, editors, chat, quickInput, notifications } = workbench;

  before(() => chat.open());

  it('VSC-20: a tool call is done again, after a new question, with the turn that is done again', async () => {
    await chat.send('weather {"city": "Bern"}');
    await dialog.answer('Run');
    await chat.waitForAnswer('The tool answered:');
    await expectLines(calls, ['weather']);
    await chat.retry();
    await dialog.answer('Deny');
    await chat.waitForAnswer('did not allow this call');
    await expectLines(calls, ['weather']);
    assert.equal(await chat.turns(), 1);
  });

  it('an edited question replaces its turn', async () => {
    await chat.editQuestion('What is new?');
    await chat.waitForAnswer('You said: What is new?');
    assert.equal(await chat.turns(), 1);
  });

  it('a conversation is exported with its calls as Markdown', async () => {
    await chat.send('weather {"city": "Bern"}');
    await dialog.answer('Run');
    await chat.waitForAnswer('The tool answered:');
    await chat.waitForEnd();
    await chat.send('/export');
    await until(
      'the name of the file',
      () => quickInput.value(),
      (text) => text.endsWith('conversation.md'),
    );
    const target = newFile('exported.md');
    await quickInput.fill(target);
    await quickInput.accept();
    await notifications.waitFor('Saved as exported.md');
    await chat.waitForAnswer('Saved.');
    const text = await readFile(target, 'utf8');
    assert.match(text, /^# Conversation with @mcp\n\n## Question\n\n```\nWhat is new\?\n```\n/);
    assert.match(
      text,
      /## Call: `\S*weather`\n\n```json\n\{\n {2}"city": "Bern"\n\}\n```\n\n## Result: `\S*weather`\n/,
    );
    assert.match(
      text,
      /## Answer\n\n```markdown\nCalling showcase_weather[^]*The tool answered: [^]*\n```\n$/,
    );
    await notifications.clear();
  });

  it('what is too long for the model is summarized by it, and the summary can be read', async () => {
    await chat.send(`This is about apples. ${'And so on. '.repeat(400)}`);
    await chat.waitForAnswer('You said: This is about apples.');
    await chat.waitForEnd();
    await chat.send('Hello');
    await chat.waitForAnswer('the model gets its own summary: summary.mcp.txt');
    await chat.waitForAnswer('You said: Hello');
    await chat.clickAnchor('summary.mcp.txt');
    await eventually(
      () => editors.text(),
      (text) => assert.equal(text.trim(), 'It was about apples.'),
    );
  });
});
