// Prompts in chat: typed, from a followup, from the tree; what the model would get is looked at before it gets it.
import assert from 'node:assert/strict';
import { Chat } from './support/chat.ts';
import { published, scripted } from './support/servers.ts';
import { variant } from './support/variant.ts';
import { eventually, openWorkbench, until, type Workbench } from './support/workbench.ts';

describe('Prompts in chat', () => {
  let workbench: Workbench;
  let chat: Chat;

  before(async () => {
    workbench = await openWorkbench({
      userSettings: {
        'editor.autoClosingBrackets': 'never',
        'editor.autoClosingQuotes': 'never',
        'mcpHost.servers': {
          everything: published('server-everything', 'stdio'),
          // Without its tools: the scripted model would call one that a prompt happens to name.
          showcase: scripted('showcase.mjs', { TOOLS: 'none' }),
        },
      },
    });
    await workbench.extension.waitForServer('everything', 'ready');
    await workbench.extension.waitForServer('showcase', 'ready');
    chat = new Chat(workbench);
    await chat.open();
  });

  after(() => workbench.close());

  const noEditor = () =>
    until(
      'the preview to be closed',
      () => workbench.editors.titles(),
      (titles) => titles.length === 0,
    );

  it('PROM-05, PROM-08, VSC-11: the messages are shown before the model gets them, and stay one click away', async () => {
    const { quickInput } = workbench;
    await chat.send('/everything.simple-prompt');
    await quickInput.expectItems(['Send to the Model', 'Copy', 'Open as Document']);
    assert.match(await workbench.editors.waitForText('This is a simple prompt'), /# User/);
    assert.doesNotMatch(await chat.answerText(), /You said/);
    await workbench.screenshot('chat-prompt-preview');
    await quickInput.pick('Send to the Model');
    await chat.waitForAnswer('You said: This is a simple prompt without arguments');
    await noEditor();
    await workbench.screenshot('chat-prompt');
    await chat.clickAnchor('simple-prompt.md');
    await workbench.editors.waitForText('This is a simple prompt');
    await workbench.runCommand('View: Close All Editors');
  });

  it('PROM-02, PROM-03: typed with its arguments; closing the preview sends nothing', async () => {
    await chat.send('/everything.args-prompt city=Oslo');
    await workbench.editors.waitForText("What's weather in Oslo?");
    await workbench.quickInput.cancel();
    const answer = await chat.waitForAnswer('The prompt was not used');
    assert.doesNotMatch(answer, /You said/);
    await workbench.screenshot('chat-prompt-not-used');
    await noEditor();
  });

  variant(
    'VSC-12: arguments are changed from the preview, in the wizard of tree and palette',
    async () => {
      const { quickInput } = workbench;
      await chat.send('/prompt everything.args-prompt city=Oslo');
      await quickInput.pick('Change Arguments');
      await quickInput.expectTitle(/\(1\/2\)/);
      await quickInput.expectValue('Oslo');
      await quickInput.enter('Bergen');
      await quickInput.pick('Leave empty');
      await workbench.editors.waitForText("What's weather in Bergen?");
      await quickInput.pick('Send to the Model');
      await chat.waitForAnswer("You said: What's weather in Bergen?");
      await workbench.screenshot('chat-prompt-arguments');
    },
  );

  variant(
    'VSC-11: a followup offers a prompt of the server just used, and asks for its arguments',
    async () => {
      const { quickInput } = workbench;
      const offered = await until(
        'the followups',
        () => chat.followups(),
        ({ length }) => length > 0,
      );
      assert.ok(offered.every((text) => text.includes('/prompt everything.')));
      await chat.clickFollowup('everything.completable-prompt');
      await quickInput.waitForItems('the departments', (items) => items.includes('Engineering'));
      await workbench.screenshot('chat-followup');
      await quickInput.pick('Sales');
      await quickInput.pick('David');
      await quickInput.pick('Send to the Model');
      await chat.waitForAnswer('promote David to the head of the Sales team');
      await workbench.screenshot('chat-followup-answer');
    },
  );

  variant('VSC-20: a stop closes the preview, and the wizard', async () => {
    const { quickInput } = workbench;
    await chat.send('/prompt everything.args-prompt city=Rome');
    await workbench.editors.waitForText("What's weather in Rome?");
    await chat.stop();
    await quickInput.waitForEnd();
    await noEditor();
    await chat.send('/prompt everything.args-prompt');
    await quickInput.waitFor();
    await chat.stop();
    await quickInput.waitForEnd();
    await workbench.screenshot('chat-prompt-stopped');
    assert.doesNotMatch(await chat.answerText(), /You said/);
  });

  variant(
    'PROM-05: roles, an image and a resource link are in the preview and reach the model',
    async () => {
      await chat.send('/showcase.greet');
      const text = await workbench.editors.waitForText('# Assistant');
      assert.match(text, /!\[`image\/png`\]\(2\.png\)/);
      assert.match(text, /demo:\/\/notes\/colours\.json/);
      await workbench.screenshot('chat-prompt-contents');
      await workbench.quickInput.pick('Send to the Model');
      await chat.waitForAnswer('You said: Resource link demo://notes/colours.json');
      await noEditor();
    },
  );

  variant(
    'PROM-08: "Use in Chat" after a preview asks no second time, unless the messages are others',
    async () => {
      const { quickInput, page } = workbench;
      await workbench.tree.show();
      await workbench.tree.expand('everything', 'Prompts');
      await workbench.tree.clickRow('Arguments Prompt');
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
      await workbench.screenshot('chat-prompt-from-tree');

      await chat.send('/showcase.count');
      await workbench.editors.waitForText('This is number 1.');
      await quickInput.pick('Send to the Model');
      await chat.waitForAnswer('You said: This is number 1.');
      await chat.send('/showcase.count');
      await workbench.editors.waitForText('This is number 2.');
      await quickInput.expectTitle(/not the messages that you saw before/);
      await workbench.screenshot('chat-prompt-changed');
      await quickInput.pick('Copy');
      await chat.waitForAnswer('on the clipboard');
      await eventually(
        () => workbench.clipboard(),
        (text) => assert.equal(text, 'This is number 2.'),
      );
    },
  );
});
