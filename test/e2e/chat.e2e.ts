// The participant @mcp with the scripted model, which calls the tool that a question names: calls, what servers ask in
// them, prompts.
import assert from 'node:assert/strict';
import { variant } from './support/variant.ts';
import { newFile } from './support/ground.ts';
import { expectLast, expectLines, published, scripted } from './support/servers.ts';
import { typeThrough } from './support/typeThrough.ts';
import { eventually, inWindow, plainTyping, until } from './support/workbench.ts';

describe('@mcp in chat', () => {
  const calls = newFile('calls.txt');
  const workbench = inWindow({
    servers: {
      everything: published('server-everything', 'stdio'),
      showcase: scripted('showcase.mjs', { CALLS: calls }),
      modern: scripted('sdkModern.mjs', { LEGACY: 'reject' }),
    },
    userSettings: { ...plainTyping, '[json]': plainTyping },
    files: {
      '.vscode/mcp.json': JSON.stringify({
        servers: {
          // Of the editor. It has its file for itself.
          own: { ...published('server-memory'), env: { MEMORY_FILE_PATH: newFile('memory.json') } },
        },
      }),
    },
    ready: ['everything', 'showcase', 'modern'],
  });
  const { editors, dialog, quickInput, notifications, chat } = workbench;

  before(() => chat.open());

  beforeEach(async () => {
    // What a test before left open would make this one fail, too.
    if (await dialog.isOpen()) await workbench.page.keyboard.press('Escape');
  });

  const noEditor = () =>
    until(
      'the preview to be closed',
      () => editors.titles(),
      (titles) => titles.length === 0,
    );

  it('HOST-06, TOOL-05, TOOL-06, VSC-04: the model’s call is shown with server, claims and input, and runs when allowed', async () => {
    await chat.send('echo hello');
    const { message, detail, buttons } = await dialog.expect();
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
    await dialog.answer('Run');
    await chat.waitForAnswer('Echo: hello');
    await eventually(
      () => chat.inputText(),
      (text) => assert.match(text, /^@mcp/),
    );
  });

  it('TOOL-02, TOOL-05, TRAP-52: refused, the server never sees the call and the chat says so', async () => {
    await chat.send('showcase_add_note {"text": "Buy milk"}');
    const { detail } = await dialog.expect();
    assert.match(detail, /Effect: the server says that it adds data, and changes or deletes none/);
    assert.match(detail, /⚠ Reach: the server says that it talks to systems outside/);
    assert.match(detail, /claims of a server that you have not marked as trusted/);
    await dialog.answer('Deny');
    await chat.waitForAnswer('Nothing was sent');
    await expectLines(calls, []);
  });

  it('SEC-01: whoever types on while the question appears has answered nothing', async () => {
    await chat.send('showcase_add_note {"text": "typed"}');
    await typeThrough(workbench, 'The model wants to run');
    await dialog.answer('Deny');
    await expectLines(calls, []);
  });

  it('SEC-01: a yes within a second is asked for again', async () => {
    // In the page: on a busy machine, a click of the browser comes after the second.
    await workbench.page.evaluate(`
      new MutationObserver((_changes, observer) => {
        const buttons = [...document.querySelectorAll('.monaco-dialog-box .monaco-button')];
        const run = buttons.find(({ textContent }) => textContent === 'Run');
        if (run === undefined) return;
        observer.disconnect();
        run.click();
      }).observe(document.body, { childList: true, subtree: true });
    `);
    await chat.send('showcase_add_note {"text": "hasty"}');
    await until(
      'the question to come again',
      async () => (await dialog.expect('The model wants to run')).detail,
      (detail) => detail.startsWith('You answered within a second'),
    );
    await expectLines(calls, []);
    await dialog.answer('Run');
    await chat.waitForAnswer('hasty');
  });

  it('HOST-11: the input can be edited, is checked, and runs as it was shown last', async () => {
    await chat.send('showcase_add_note {"text": "Buy milk"}');
    await dialog.answer('Edit Input…');
    await quickInput.fill('{"text": "a"}');
    await quickInput.expectMessage(/3/);
    await quickInput.fill('{"text": "Buy bread"}');
    await quickInput.expectMessage(/Parameters/);
    await quickInput.accept();
    const { detail } = await dialog.expect();
    assert.match(detail, /Buy bread/);
    await dialog.answer('Run');
    await chat.waitForAnswer('Kept: Buy bread');
    await expectLast(calls, 'add_note');
  });

  variant('HOST-11: a long input is edited in an editor', async () => {
    await chat.send(`showcase_add_note {"text": "${'Buy milk and bread. '.repeat(45)}"}`);
    const first = await dialog.expect();
    assert.match(first.detail, /Input, 800 of \d+ characters/);
    await dialog.answer('Edit Input…');
    await editors.waitForText('"text": "Buy milk');
    await editors.fill('{"text": "Buy eggs"}');
    await editors.clickAction('Use Edited Text');
    const { detail } = await dialog.expect();
    assert.match(detail, /Buy eggs/);
    await dialog.answer('Run');
    await chat.waitForAnswer('Kept: Buy eggs');
    await editors.expect([]);
  });

  it('TOOL-05, TOOL-06: several calls of one answer are asked about in one question, whole, and run side by side', async () => {
    const long = 'Buy milk, bread, eggs. '.repeat(20);
    await chat.send(
      `showcase_add_note {"text": "${long}"} and echo hello and get-sum {"a": 1, "b": 2}`,
    );
    const { message, detail, buttons } = await dialog.expect();
    assert.match(message, /The model wants to make 3 calls side by side/);
    assert.match(detail, /1\. "Add a Note"\s+Server: showcase \(user settings\)\s+Tool: add_note/);
    assert.match(detail, /Tool: add_note\s+Effect: the server says that it adds data/);
    assert.match(detail, /⚠ Input, 300 of \d+ characters/);
    assert.match(detail, /2\. "Echo Tool"[^]*"hello"[^]*3\. "Get Sum Tool"[^]*"a": 1,\s+"b": 2/);
    assert.deepEqual(buttons.toSorted(), [
      'Decide One by One…',
      'Deny All',
      'Later',
      'Run All',
      'Show All…',
    ]);
    await dialog.answer('Show All…');
    await editors.waitForText('bread, eggs. "');
    await quickInput.pick('Back to the Question');
    await dialog.expect();
    await dialog.answer('Run All');
    await chat.waitForAnswer('| Echo: hello | The sum of 1 and 2 is 3.');
  });

  it('TOOL-05: several calls are decided one by one, in the dialog of one', async () => {
    await chat.send('echo first and get-sum {"a": 3, "b": 4}');
    await dialog.answer('Decide One by One…');
    assert.match((await dialog.expect()).message, /"Echo Tool" on the MCP server "everything"/);
    await dialog.answer('Deny');
    assert.match((await dialog.expect()).message, /"Get Sum Tool" on the MCP server "everything"/);
    await dialog.answer('Run');
    const denied = 'The user did not allow this call. Nothing was sent. Do not repeat it.';
    await chat.waitForAnswer(`${denied} | The sum of 3 and 4 is 7.`);
  });

  variant('TOOL-06: more calls than the dialog can list are not run by one answer', async () => {
    await chat.send(Array.from({ length: 16 }, (_, n) => `echo number ${n}`).join(' and '));
    const { detail, buttons } = await dialog.expect();
    assert.match(detail, /This is not complete/);
    assert.deepEqual(buttons.toSorted(), ['Decide One by One…', 'Deny All', 'Later', 'Show All…']);
    await dialog.answer('Deny All');
    await chat.waitForAnswer('did not allow this call');
  });

  it('HOST-11, VSC-19: allowed for the session it asks no more, until Manage Approvals takes it back', async () => {
    await chat.send('echo one');
    await dialog.answer('Run and Remember…');
    await quickInput.waitForItems('scopes', (items) => items.length === 3);
    await quickInput.pick('This Session');
    await chat.waitForAnswer('Echo: one');
    await chat.send('echo two');
    await chat.waitForAnswer('Echo: two');
    assert.equal(await dialog.isOpen(), false);
    await workbench.runCommand('MCP Host: Manage Approvals…');
    await quickInput.pick('Echo Tool');
    await quickInput.expectItem('None');
    await quickInput.cancel();
    await chat.send('echo three');
    await dialog.answer('Deny');
    await chat.waitForAnswer('Nothing was sent');
  });

  variant('VSC-25, TOOL-10: resource links are links to documents', async () => {
    await chat.send('get-resource-links {"count": 3}');
    await dialog.answer('Run');
    await chat.waitForAnswer('Text Resource 2');
    await chat.clickAnchor('2.txt');
    await editors.waitForText('Resource 2');
    await workbench.closeEditors();
  });

  variant(
    'TOOL-03, TOOL-13: what is not said of a tool counts as its worst; an error that it reports is shown as one',
    async () => {
      await chat.send('refuse');
      const { detail } = await dialog.expect();
      assert.match(detail, /⚠ Effect: the server does not say; it may change or delete data/);
      assert.match(detail, /⚠ Reach: the server does not say; it may talk to systems outside/);
      await dialog.answer('Run');
      await chat.waitForAnswer('out of paper');
      await chat.expectAnswer(/reports an error/);
    },
  );

  it('VSC-20, VSC-24: progress is shown, and a stop cancels the call on the server', async () => {
    await chat.send('wait');
    await dialog.answer('Run');
    await chat.waitForAnswer('Sorting');
    await chat.stop();
    await expectLast(calls, 'cancelled');
  });

  it('MRTR-05, ELI-03, ELI-05: a server elicits in a call, and gets the answer', async () => {
    await chat.send('modern_greet {}');
    await dialog.answer('Run');
    await notifications.answer('"modern" asks for your input', 'Answer');
    await quickInput.expectTitle(/MCP server "modern".*name/iu);
    await quickInput.enter('Ada');
    await quickInput.expectTitle(/Review/);
    await quickInput.pick('Send');
    await chat.waitForAnswer('Ada');
  });

  it('SAM-04, SAMP-04: it samples in a call, and gets what the model said', async () => {
    await chat.send('modern_ask-model {}');
    await dialog.answer('Run');
    await dialog.answer('Allow Once', /wants to use a language model/);
    await dialog.answer('Send', /Send this answer/);
    await chat.waitForAnswer('You said: Hi');
  });

  it('PROM-05, PROM-08, VSC-11: the messages are shown before the model gets them, and stay one click away', async () => {
    await chat.send('/everything.simple-prompt');
    await quickInput.expectItems(['Send to the Model', 'Copy', 'Open as Document']);
    assert.match(await editors.waitForText('This is a simple prompt'), /User/);
    assert.doesNotMatch(await chat.answerText(), /You said/);
    await quickInput.pick('Send to the Model');
    await chat.waitForAnswer('You said: This is a simple prompt without arguments');
    await noEditor();
    await chat.clickAnchor('simple-prompt.md');
    await editors.waitForText('This is a simple prompt');
    await workbench.closeEditors();
  });

  it('PROM-02, PROM-03: typed with its arguments; closing the preview sends nothing', async () => {
    await chat.send('/everything.args-prompt city=Oslo');
    await editors.waitForText("What's weather in Oslo?");
    await quickInput.cancel();
    const answer = await chat.waitForAnswer('The prompt was not used');
    assert.doesNotMatch(answer, /You said/);
    await noEditor();
  });

  variant('HOST-12: /servers lists the servers and their state', async () => {
    await chat.send('/servers ');
    await chat.waitForAnswer('Manage Servers');
    await chat.expectAnswer(/everything · ready · tools: \d+, prompts: \d+, resources: \d+/);
  });

  it('TOOL-07, TRAP-53: /tools lists what the model gets, by the names that it gets', async () => {
    await chat.send('/tools ');
    await chat.waitForAnswer('Select Tools');
    await chat.expectAnswer(/everything_get-sum/);
    await chat.expectAnswer(/everything_echo/);
  });

  it('HOST-10, VSC-03: a tool that is switched off is not offered, and /tools says why', async () => {
    await workbench.runCommand('MCP Host: Select Tools…');
    await quickInput.expectItem('Echo Tool');
    await quickInput.fill('weather');
    await quickInput.waitForItems(
      'what fits',
      (items) => items.includes('weather') && !items.includes('Echo Tool'),
    );
    await quickInput.pick('weather');
    await quickInput.accept();
    await quickInput.waitForEnd();
    await chat.send('/tools ');
    const answer = await chat.waitForAnswer('you switched it off');
    assert.doesNotMatch(answer, /showcase_weather/);
  });

  it('VSC-04: tools of another extension and of a server of the editor are chosen, and run after the editor’s question', async () => {
    const create = 'mcp_memory-server_create_entities';
    // The editor has started its servers at the first question, also those that are offered to it.
    await chat.send('tools', 'agent');
    await chat.expectAnswer(/mcp_\S*_echo\b/u);
    await until('its tools', async () => {
      await workbench.runCommand('MCP Host: Select Tools…');
      await quickInput.fill(create);
      if ((await quickInput.items()).includes(create)) return true;
      await quickInput.cancel();
      return false;
    });
    await quickInput.fill('mcp_');
    const ofServers = await quickInput.waitForItems('tools of servers of the editor', (items) =>
      items.includes(create),
    );
    assert.deepEqual(
      ofServers.filter((name) => !name.startsWith('mcp_memory-server_')),
      [],
      'no tool is offered twice',
    );
    await quickInput.pick(create);
    await quickInput.fill('demo_reverse');
    await quickInput.pick('demo_reverse');
    await quickInput.accept();
    await quickInput.waitForEnd();
    const entities = [{ name: 'Zed', entityType: 'letter', observations: ['is last'] }];
    await chat.send(`demo_reverse {"text": "abc"} and ${create} ${JSON.stringify({ entities })}`);
    await chat.confirmUntilAnswer('The tool answered: cba | {"entities":[{"name":"Zed"');
  });

  it('VSC-09: /resource attaches a resource, and the next question has all of it', async () => {
    await chat.send('/resource demo://resource/static/document/features.md');
    await chat.waitForAnswer('Attached for your next question');
    // What is kept with the history is shorter.
    await chat.send('How does the attachment end?');
    await chat.expectAnswer(/It ends: [^]*to retrieve the result/);
  });
});
