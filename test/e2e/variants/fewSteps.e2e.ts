// How many clicks and Enters the main jobs take, counted in the page. What is typed or pasted does not count.
import assert from 'node:assert/strict';
import { published, scripted } from '../support/servers.ts';
import { inWindow, plainTyping, until } from '../support/workbench.ts';

interface Steps {
  readonly clicks: number;
  readonly enters: number;
}

const properties = Object.fromEntries(
  ['Name', 'Street', 'Town', 'Country', 'Phone'].map((title) => [
    title.toLowerCase(),
    { type: 'string', title },
  ]),
);
const form = JSON.stringify({
  message: 'Where do you live?',
  schema: { type: 'object', properties, required: Object.keys(properties) },
});

describe('The main jobs', () => {
  const workbench = inWindow({
    // Two, since a question that follows an answer to the same server opens by itself.
    servers: { booking: scripted('elicit.mjs'), saving: scripted('elicit.mjs') },
    userSettings: plainTyping,
    ready: ['booking', 'saving'],
  });
  const { chat, dialog, extension, quickInput, statusBar } = workbench;

  before(() => chat.open());

  const countFromHere = () =>
    workbench.page.evaluate(`
      if (window.steps === undefined) {
        addEventListener('mousedown', () => { window.steps.clicks += 1; }, true);
        addEventListener('keydown', ({ key }) => { window.steps.enters += key === 'Enter' ? 1 : 0; }, true);
      }
      window.steps = { clicks: 0, enters: 0 };
    `);

  beforeEach(countFromHere);

  /** Fails when a job takes more, and shows in its title what it takes. */
  async function expectAtMost(test: Mocha.Runnable | undefined, most: Steps): Promise<void> {
    const steps: Steps = await workbench.page.evaluate('window.steps');
    assert.ok(test);
    test.title += `: clicks ${steps.clicks}, Enter ${steps.enters}`;
    assert.ok(steps.clicks <= most.clicks && steps.enters <= most.enters, JSON.stringify(steps));
  }

  it('add a server', async function () {
    const { command, args } = published('server-everything', 'stdio');
    await workbench.page.getByLabel('Add Server…').first().click();
    await quickInput.fill([command, ...args].map((word) => `"${word}"`).join(' '));
    await quickInput.expectText('not run through a shell');
    await quickInput.accept();
    await dialog.answer('Add', 'works');
    await extension.waitForServer('server-everything', 'ready');
    await expectAtMost(this.test, { clicks: 2, enters: 2 });
  });

  it('use a prompt with two arguments in chat', async function () {
    const command = '/mcp.server-everything.args-prompt';
    await chat.waitForSuggestions(command, command, ([first]) => first === command);
    await workbench.page.keyboard.press('Enter');
    for (const [argument, value] of Object.entries({ city: 'Paris', state: 'Texas' })) {
      await quickInput.expectTitle(new RegExp(argument, 'iu'));
      await quickInput.fill(value);
      await quickInput.pick('Insert as text');
    }
    await until(
      'the text of the prompt',
      () => chat.inputText(),
      (text) => text.includes("What's weather in Paris, Texas?"),
    );
    // For a model without an account.
    await workbench.page.keyboard.press('Control+Home');
    await chat.type('@mcp ');
    await workbench.page.keyboard.press('Enter');
    await chat.waitForAnswer("You said: What's weather in Paris, Texas?");
    await expectAtMost(this.test, { clicks: 2, enters: 2 });
  });

  it('approve a call of a tool', async function () {
    await chat.send('echo hello');
    await dialog.answer('Run', 'Echo Tool');
    await chat.waitForAnswer('Echo: hello');
    await expectAtMost(this.test, { clicks: 1, enters: 1 });
  });

  it('allow a request to a model, and its answer', async function () {
    await chat.send('trigger-sampling-request {"prompt": "Hi", "maxTokens": 10}');
    await dialog.answer('Run', 'Trigger Sampling');
    await countFromHere();
    await dialog.answer('Allow Once', 'wants to use a language model');
    await dialog.answer('Send', 'Send this answer');
    await chat.waitForAnswer('You said');
    await expectAtMost(this.test, { clicks: 2, enters: 0 });
  });

  it('answer a yes or no', async function () {
    const save = { type: 'boolean', title: 'Save it' };
    const schema = { type: 'object', properties: { save }, required: ['save'] };
    await chat.send(`saving_ask ${JSON.stringify({ message: 'Shall it be saved?', schema })}`);
    await dialog.answer('Run', '"saving"');
    await countFromHere();
    await statusBar.click('1 MCP question');
    await quickInput.expectItem('Yes');
    // A faster answer counts as stray typing, and is reviewed.
    await workbench.page.waitForTimeout(1_000);
    await quickInput.click('Yes');
    await chat.waitForAnswer('"save":true');
    await expectAtMost(this.test, { clicks: 2, enters: 0 });
  });

  it('fill in a form of five fields', async function () {
    await chat.send(`booking_ask ${form}`);
    await dialog.answer('Run', '"booking"');
    await countFromHere();
    await statusBar.click('1 MCP question'); // it takes no key that is meant for the chat
    for (const title of ['Name', 'Street', 'Town', 'Country', 'Phone']) {
      await quickInput.expectTitle(new RegExp(title));
      await quickInput.enter('Anywhere');
    }
    await quickInput.expectItem('Send');
    await quickInput.accept();
    await chat.waitForAnswer('"action":"accept"');
    await expectAtMost(this.test, { clicks: 1, enters: 6 });
  });
});
