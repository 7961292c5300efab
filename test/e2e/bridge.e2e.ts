// The editor's own chat with the servers of this extension: slash commands, agent tools, resources, and the tools for
// models. The agent is a participant of the demo's extension, since the editor's own wants a sign-in.
import assert from 'node:assert/strict';
import { variant } from './support/variant.ts';
import { newFile } from './support/ground.ts';
import { expectLines, published, scripted } from './support/servers.ts';
import { inWindow, plainTyping, until, type Workbench } from './support/workbench.ts';

/** Waits until the input suggests `commands` after `/mcp.`, and leaves the suggestions open. */
async function slashCommands(
  { chat }: Workbench,
  ...commands: readonly string[]
): Promise<readonly string[]> {
  return chat.waitForSuggestions('/mcp.', `the commands ${commands.join(', ')}`, (labels) =>
    commands.every((command) => labels.includes(command)),
  );
}

/** The tools of servers that an agent has. */
async function agentTools({ chat }: Workbench): Promise<string> {
  await chat.send('tools', 'agent');
  return chat.waitForAnswer('Tools:');
}

describe('the editor’s own chat', () => {
  const calls = newFile('calls.txt');
  const servers = {
    everything: published('server-everything', 'stdio'),
    showcase: scripted('showcase.mjs', { CALLS: calls }),
    private: { ...scripted('showcase.mjs'), bridge: false },
  };
  const workbench = inWindow({
    servers,
    userSettings: plainTyping,
    ready: ['everything', 'showcase', 'private'],
  });
  const { tree, dialog, quickInput, chat, settings } = workbench;

  before(() => chat.open());

  beforeEach(async () => {
    // What a test before left open would make this one fail, too.
    if (await dialog.isOpen()) await workbench.page.keyboard.press('Escape');
  });

  it('offers the prompts of the servers after /mcp. before the first message', async () => {
    const labels = await slashCommands(
      workbench,
      '/mcp.showcase.greet',
      '/mcp.everything.simple-prompt',
    );
    assert.deepEqual(
      labels.filter((label) => label.startsWith('/mcp.everything.')),
      [
        '/mcp.everything.args-prompt',
        '/mcp.everything.completable-prompt',
        '/mcp.everything.resource-prompt',
        '/mcp.everything.simple-prompt',
      ],
    );
    assert.deepEqual(
      labels.filter((label) => label.includes('private')),
      [],
    );
    await expectLines(calls, []);
  });

  variant(
    'COMP-01, COMP-02: asks for a prompt’s arguments with the server’s suggestions, and gets the text',
    async () => {
      await slashCommands(workbench, '/mcp.everything.completable-prompt');
      await chat.pickSuggestion('/mcp.everything.completable-prompt');
      await quickInput.expectItem('Engineering');
      await quickInput.expectTitle(/department/);
      await quickInput.fill('S');
      await quickInput.waitForItems(
        'those that fit',
        (items) => items.includes('Sales') && !items.includes('Engineering'),
      );
      await quickInput.pick('Sales');
      // Whom the server suggests depends on the department.
      await quickInput.pick('David');
      const text = await until(
        'the text of the prompt',
        () => chat.inputText(),
        (shown) => shown.includes('David'),
      );
      assert.match(
        text.replaceAll(/\s+/g, ' '),
        /Please promote David to the head of the Sales team/,
      );
    },
  );

  it('gives agents the tools of the servers, under ids that read well', async () => {
    await agentTools(workbench);
    for (const name of ['mcp_everything_echo', 'mcp_showcase_add_note', 'mcp_call_tool']) {
      await chat.expectAnswer(new RegExp(`\\b${name}\\b`));
    }
    assert.doesNotMatch(await chat.answerText(), /private/);
  });

  it('HOST-06: a call is confirmed on the editor’s card and in our dialog, and its result arrives', async () => {
    await chat.send('mcp_showcase_add_note {"text": "Buy milk"}', 'agent');
    const card = await chat.confirmationText();
    assert.match(card, /showcase \(MCP Server\)[^]*Buy milk/);
    await chat.answerConfirmation('Allow');
    const { message, detail } = await dialog.expect();
    assert.match(message, /The model wants to run "Add a Note" on the MCP server "showcase"/);
    assert.match(detail, /"text": "Buy milk"/);
    await dialog.answer('Run');
    // Of a tool that says that it talks to systems outside, the editor shows the result first.
    await chat.waitForConfirmation('Approve Tool Result');
    await chat.answerConfirmation('Allow');
    await chat.expectAnswer(/Result:[^]*Kept: Buy milk/);
    await expectLines(calls, ['add_note']);
  });

  it('offers resources under Add Context', async () => {
    await chat.clear();
    await workbench.page.keyboard.press('Control+Slash');
    const entries = await quickInput.waitForItems('the entry', (items) =>
      items.some((item) => item.startsWith('MCP Resources')),
    );
    await quickInput.pick(entries.find((item) => item.startsWith('MCP Resources')) ?? '');
    await quickInput.expectItem('architecture.md');
    await quickInput.fill('Colours');
    await quickInput.pick('Colours');
    await until(
      'the attachment',
      () => chat.attachments(),
      (labels) => labels.some((label) => label.includes('Colours') || label.includes('colours')),
    );
  });

  describe('tools for models', () => {
    it('HOST-06, TOOL-08: calls a tool after our question, which names server, tool and input', async () => {
      await chat.send('mcp_call_tool {"server": "showcase", "tool": "draw", "input": {}}', 'agent');
      const { message } = await dialog.expect();
      assert.match(message, /run "Draw" on the MCP server "showcase"/);
      await chat.expectAnswer(/Running “draw” of the MCP server “showcase” with \{\}/);
      await dialog.answer('Run');
      await chat.waitForAnswer('Here it is');
      await chat.waitForAnswer('Data: image/png');
    });

    variant('reads a resource once the editor has asked', async () => {
      await chat.send(
        'mcp_read_resource {"server": "showcase", "uri": "demo://notes/colours.json"}',
        'agent',
      );
      const card = await chat.confirmationText();
      assert.match(card, /Read a resource of the MCP server “showcase”\?/);
      assert.match(card, /demo:\/\/notes\/colours\.json/);
      await chat.answerConfirmation('Allow');
      await chat.waitForAnswer('#0000ff');
    });
  });

  variant('says in the tree how far each server has come', async () => {
    await tree.show();
    await tree.tooltip('everything', 'prompts as /mcp.everything.*');
    await tree.tooltip('everything', 'the remote machine of this window (');
    await tree.tooltip('private', 'off ("bridge" in its entry)');
  });

  // After all others: its window has other settings.
  describe('by the setting', () => {
    variant('leaves confirmation to the editor where the user wants that', async () => {
      await settings.setUser({
        ...plainTyping,
        'mcpHost.servers': servers,
        'mcpHost.bridge.confirmation': 'vscode',
      });
      await workbench.load();
      await chat.open();
      await slashCommands(workbench, '/mcp.everything.simple-prompt');
      await chat.send('mcp_everything_get-sum {"a": 2, "b": 3}', 'agent');
      await chat.confirmUntilAnswer('is 5');
      assert.equal(await dialog.isOpen(), false);
    });
  });
});
