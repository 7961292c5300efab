// Prompts in chat beside the plain ways of chat.e2e.ts: from a followup, by /mcp., from the tree; stopped; with pictures.
import assert from 'node:assert/strict';
import { takePicture } from '../support/pictures.ts';
import { published, scripted } from '../support/servers.ts';
import { inWindow, plainTyping, until } from '../support/workbench.ts';

describe('Prompts in chat', () => {
  const workbench = inWindow({
    servers: {
      everything: published('server-everything', 'stdio'),
      // Without its tools: the scripted model would call one that a prompt happens to name.
      showcase: scripted('showcase.mjs', { TOOLS: 'none' }),
    },
    userSettings: plainTyping,
    ready: ['everything', 'showcase'],
  });
  const { tree, editors, quickInput, chat } = workbench;

  before(() => chat.open());

  const noEditor = () =>
    until(
      'the preview to be closed',
      () => editors.titles(),
      (titles) => titles.length === 0,
    );

  it('VSC-11: a followup offers a prompt of the server just used, and asks for its arguments', async () => {
    await chat.send('/everything.args-prompt city=Bergen');
    await quickInput.pick('Send to the Model');
    await chat.waitForAnswer("You said: What's weather in Bergen?");
    const offered = await until(
      'the followups',
      () => chat.followups(),
      ({ length }) => length > 0,
    );
    assert.ok(offered.every((text) => text.includes('/prompt everything.')));
    await chat.clickFollowup('everything.completable-prompt');
    await quickInput.expectItem('Engineering');
    await quickInput.pick('Sales');
    await quickInput.pick('David');
    await quickInput.pick('Send to the Model');
    await chat.waitForAnswer('promote David to the head of the Sales team');
  });

  it('VSC-11: is found by /mcp. too, as in the editor’s own chat', async () => {
    await chat.send('/mcp.everything.simple-prompt');
    await quickInput.pick('Send to the Model');
    await chat.waitForAnswer('You said: This is a simple prompt without arguments');
    await chat.send('/mcp.');
    await quickInput.pick('Simple Prompt');
    await chat.waitForAnswer('You said: This is a simple prompt without arguments');
  });

  it('VSC-20: a stop closes the preview, and the wizard', async () => {
    await chat.send('/prompt everything.args-prompt city=Rome');
    await editors.waitForText("What's weather in Rome?");
    await chat.stop();
    await quickInput.waitForEnd();
    await noEditor();
    await chat.send('/prompt everything.args-prompt');
    await quickInput.waitFor();
    await chat.stop();
    await quickInput.waitForEnd();
    assert.doesNotMatch(await chat.answerText(), /You said/);
  });

  it('PROM-05: roles, an image and a resource link are in the preview and reach the model', async () => {
    await chat.send('/showcase.greet');
    const text = await editors.waitForText('Assistant');
    const preview = await editors.webview('Assistant');
    assert.equal(await preview.locator('img').count(), 1);
    await takePicture(workbench.page);
    assert.match(text, /demo:\/\/notes\/colours\.json/);
    await quickInput.pick('Send to the Model');
    await chat.waitForAnswer('You said: Resource link demo://notes/colours.json');
    await noEditor();
  });

  it('PROM-08: "Use in Chat" after a preview asks no second time, unless the messages are others', async () => {
    const { page } = workbench;
    await tree.show();
    await tree.expand('everything', 'Prompts');
    await tree.clickRow('Arguments Prompt');
    await quickInput.enter('Paris');
    await quickInput.pick('Leave empty');
    await quickInput.pick('Use in Chat');
    await until(
      'the message in the chat input',
      () => chat.inputText(),
      (text) => text.includes('{"city":"Paris"}'),
    );
    await page.keyboard.press('Enter');
    await chat.waitForAnswer("You said: What's weather in Paris?");

    await chat.send('/showcase.count');
    await editors.waitForText('This is number 1.');
    await quickInput.pick('Send to the Model');
    await chat.waitForAnswer('You said: This is number 1.');
    await chat.send('/showcase.count');
    await editors.waitForText('This is number 2.');
    await quickInput.expectTitle(/not the messages that you saw before/);
    await quickInput.pick('Copy');
    await chat.waitForAnswer('on the clipboard');
    await workbench.expectClipboard(/^This is number 2\.$/);
  });
});
