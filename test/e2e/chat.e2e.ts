// The participant @mcp with the scripted model, which calls the tool that a question names.
import assert from 'node:assert/strict';
import { Chat } from './support/chat.ts';
import { newFile } from './support/ground.ts';
import { expectLines, linesOf, published, scripted } from './support/servers.ts';
import { variant } from './support/variant.ts';
import { eventually, openWorkbench, until, type Workbench } from './support/workbench.ts';

describe('@mcp in chat', () => {
  let workbench: Workbench;
  let chat: Chat;
  let calls: string;

  before(async () => {
    calls = await newFile('calls.txt');
    workbench = await openWorkbench({
      userSettings: {
        // What is typed shall stay as it is.
        'editor.autoClosingBrackets': 'never',
        'editor.autoClosingQuotes': 'never',
        '[json]': { 'editor.autoClosingBrackets': 'never', 'editor.autoClosingQuotes': 'never' },
        'mcpHost.servers': {
          everything: published('server-everything', 'stdio'),
          showcase: scripted('showcase.mjs', { CALLS: calls }),
        },
      },
    });
    await workbench.extension.waitForServer('everything', 'ready');
    await workbench.extension.waitForServer('showcase', 'ready');
    chat = new Chat(workbench);
    await chat.open();
    await workbench.screenshot('chat-open');
  });

  after(() => workbench.close());

  beforeEach(async () => {
    // What a test before left open would make this one fail, too.
    if (await workbench.dialog.isOpen()) await workbench.page.keyboard.press('Escape');
  });

  it('HOST-06, TOOL-05, TOOL-06, VSC-04: the model’s call is shown with server, claims and input, and runs when allowed', async () => {
    await chat.send('echo hello');
    const { message, detail, buttons } = await workbench.dialog.expect();
    await workbench.screenshot('chat-approval');
    assert.match(message, /The model wants to run "Echo Tool" on the MCP server "everything"/);
    assert.match(detail, /Server: everything \(user settings\)/);
    assert.match(detail, /"message": "hello"/);
    assert.match(detail, /claims/);
    assert.deepEqual(buttons.toSorted(), [
      'Deny',
      'Edit Input…',
      'Later',
      'Review…',
      'Run',
      'Run and Remember…',
    ]);
    await workbench.dialog.answer('Run');
    await chat.waitForAnswer('Echo: hello');
    await eventually(
      () => chat.inputText(),
      (text) => assert.match(text, /^@mcp/),
    );
    await workbench.screenshot('chat-result');
  });

  it('TOOL-02, TOOL-05, TRAP-52: refused, the server never sees the call and the chat says so', async () => {
    await chat.send('showcase_add_note {"text": "Buy milk"}');
    const { detail } = await workbench.dialog.expect();
    await workbench.screenshot('chat-approval-open-world');
    assert.match(detail, /Effect: the server says that it adds data, and changes or deletes none/);
    assert.match(detail, /⚠ Reach: the server says that it talks to systems outside/);
    assert.match(detail, /claims of a server that you have not marked as trusted/);
    await workbench.dialog.answer('Deny');
    await chat.waitForAnswer('Nothing was sent');
    await workbench.screenshot('chat-denied');
    await expectLines(calls, []);
  });

  it('HOST-11: the input can be edited, is checked, and runs as it was shown last', async () => {
    await chat.send('showcase_add_note {"text": "Buy milk"}');
    await workbench.dialog.answer('Edit Input…');
    const { quickInput } = workbench;
    await quickInput.fill('{"text": "a"}');
    await quickInput.expectMessage(/3/);
    await quickInput.fill('{"text": "Buy bread"}');
    await quickInput.expectMessage(/Parameters/);
    await workbench.screenshot('chat-edit');
    await quickInput.accept();
    const { detail } = await workbench.dialog.expect();
    await workbench.screenshot('chat-edited');
    assert.match(detail, /Buy bread/);
    await workbench.dialog.answer('Run');
    await chat.waitForAnswer('Kept: Buy bread');
    await expectLines(calls, ['add_note']);
  });

  variant('HOST-11: a long input is edited in an editor', async () => {
    await chat.send(`showcase_add_note {"text": "${'Buy milk and bread. '.repeat(45)}"}`);
    const first = await workbench.dialog.expect();
    await workbench.screenshot('chat-long-input');
    assert.match(first.detail, /Input, 800 of \d+ characters/);
    await workbench.dialog.answer('Edit Input…');
    await workbench.editors.waitForText('"text": "Buy milk');
    await workbench.screenshot('chat-long-input-editor');
    await workbench.editors.fill('{"text": "Buy eggs"}');
    await workbench.editors.clickAction('Use Edited Text');
    const { detail } = await workbench.dialog.expect();
    assert.match(detail, /Buy eggs/);
    await workbench.dialog.answer('Run');
    await chat.waitForAnswer('Kept: Buy eggs');
    await workbench.editors.expect([]);
  });

  it('HOST-11, VSC-19: allowed for the session it asks no more, until Manage Approvals takes it back', async () => {
    await chat.send('echo one');
    await workbench.dialog.answer('Run and Remember…');
    await workbench.quickInput.waitForItems('scopes', (items) => items.length === 3);
    await workbench.screenshot('chat-remember');
    await workbench.quickInput.pick('This Session');
    await chat.waitForAnswer('Echo: one');
    await chat.send('echo two');
    await chat.waitForAnswer('Echo: two');
    assert.equal(await workbench.dialog.isOpen(), false);
    await workbench.runCommand('MCP Host: Manage Approvals…');
    await workbench.quickInput.waitForItems('the approval', (items) => items.includes('Echo Tool'));
    await workbench.screenshot('manage-approvals');
    await workbench.quickInput.pick('Echo Tool');
    await workbench.quickInput.waitForItems('none', (items) => items.includes('None'));
    await workbench.quickInput.cancel();
    await chat.send('echo three');
    await workbench.dialog.answer('Deny');
    await chat.waitForAnswer('Nothing was sent');
  });

  variant(
    'TOOL-02, TRAP-51: marked as trusted, a server’s read-only tools run without a question',
    async () => {
      await workbench.runCommand('MCP Host: Manage Approvals…');
      await workbench.quickInput.pick('showcase');
      await workbench.dialog.expect();
      await workbench.screenshot('trust-server');
      await workbench.dialog.answer('Trust');
      await workbench.quickInput.waitForItems('the list', (items) => items.includes('showcase'));
      await workbench.screenshot('trusted-server');
      await workbench.quickInput.cancel();
      await eventually(
        () => workbench.settings.userText(),
        (text) => assert.match(text, /"mcpHost\.trustedServers": \[\s*"showcase"/),
      );
      await chat.send('draw');
      await chat.waitForAnswer('Here it is');
      assert.equal(await workbench.dialog.isOpen(), false);
    },
  );

  variant('VSC-25, TOOL-10: resource links are links to documents', async () => {
    await chat.send('get-resource-links {"count": 3}');
    await workbench.dialog.answer('Run');
    await chat.waitForAnswer('Text Resource 2');
    await workbench.screenshot('chat-links');
    await chat.clickAnchor('2.txt');
    await workbench.editors.waitForText('Resource 2');
  });

  variant(
    'TOOL-03, TOOL-13: what is not said of a tool counts as its worst; an error that it reports is shown as one',
    async () => {
      await chat.send('refuse');
      const { detail } = await workbench.dialog.expect();
      assert.match(detail, /⚠ Effect: the server does not say; it may change or delete data/);
      assert.match(detail, /⚠ Reach: the server does not say; it may talk to systems outside/);
      await workbench.dialog.answer('Run');
      await chat.waitForAnswer('out of paper');
      await chat.expectAnswer(/reports an error/);
      await workbench.screenshot('chat-tool-error');
    },
  );

  it('VSC-20, VSC-24: progress is shown, and a stop cancels the call on the server', async () => {
    await chat.send('wait');
    await workbench.dialog.answer('Run');
    await chat.waitForAnswer('Sorting');
    await workbench.screenshot('chat-progress');
    await chat.stop();
    await until(
      'the server to be told',
      () => linesOf(calls),
      (lines) => lines.at(-1) === 'cancelled',
    );
    await workbench.screenshot('chat-stopped');
  });

  variant('HOST-12: /servers lists the servers and their state', async () => {
    await chat.send('/servers ');
    await chat.waitForAnswer('Manage Servers');
    await chat.expectAnswer(/everything · ready · tools: \d+, prompts: \d+, resources: \d+/);
    await workbench.screenshot('chat-servers');
  });

  it('TOOL-07, TRAP-53: /tools lists what the model gets, by the names that it gets', async () => {
    await chat.send('/tools ');
    await chat.waitForAnswer('Select Tools');
    await chat.expectAnswer(/everything_get-sum/);
    await chat.expectAnswer(/everything_echo/);
    await workbench.screenshot('chat-tools');
  });

  it('HOST-10, VSC-03: a tool that is switched off is not offered, and /tools says why', async () => {
    await workbench.runCommand('MCP Host: Select Tools…');
    await workbench.quickInput.waitForItems('the tools', (items) => items.includes('Echo Tool'));
    await workbench.screenshot('choose-tools');
    await workbench.quickInput.fill('weather');
    await workbench.quickInput.pick('weather');
    await workbench.quickInput.accept();
    await workbench.quickInput.waitForEnd();
    await chat.send('/tools ');
    const answer = await chat.waitForAnswer('you switched it off');
    assert.doesNotMatch(answer, /showcase_weather/);
  });

  it('VSC-09: /resource attaches a resource, and the next question has all of it', async () => {
    await chat.send('/resource demo://resource/static/document/features.md');
    await chat.waitForAnswer('Attached for your next question');
    await workbench.screenshot('chat-resource');
    // What is kept with the history is shorter.
    await chat.send('How does the attachment end?');
    await chat.expectAnswer(/It ends: [^]*to retrieve the result/);
    await workbench.screenshot('chat-resource-asked');
  });
});
