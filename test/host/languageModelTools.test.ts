/** The language model tools as another extension, or the editor's own agent, finds and calls them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { preparePrompt, prepareRead } from '../../src/vscode/chat/languageModelTools.ts';
import { toolNames } from '../../src/vscode/ids.ts';
import { clear, configure, probe, until, untilState } from './support/host.ts';

async function find(input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(toolNames.find, {
    input,
    toolInvocationToken: undefined,
  });
  return result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('\n');
}

describe('language model tools', () => {
  before(clear);
  after(clear);

  it('are there, with schemas and tags (@smoke)', async () => {
    const names = Object.values(toolNames);
    const own = await until('the tools', () => {
      const found = vscode.lm.tools.filter(({ name }) => names.some((one) => one === name));
      return found.length === names.length && found;
    });
    assert.deepEqual(
      own.map(({ tags, inputSchema }) => tags.includes('mcp') && typeof inputSchema === 'object'),
      names.map(() => true),
    );
  });

  it('find what the servers offer (@smoke)', async () => {
    assert.match(await find({}), /No MCP server is running/);
    await configure({ probe: probe({ ITEMS: '2' }) });
    await untilState('probe', 'ready');
    assert.match(await find({}), /"server":"probe"/);
    assert.match(await find({ server: 'probe' }), /"resources":\[\{"server":"probe","uri":/);
  });

  it('ask with all that a server gets, nothing cut and nothing hidden', () => {
    const text = `${'a'.repeat(10_000)}\u202eend`;
    const asked = [
      prepareRead({ server: 'probe', uri: text }),
      preparePrompt({ server: 'probe', prompt: 'greet', arguments: { text } }),
    ];
    for (const { confirmationMessages } of asked) {
      const { message } = confirmationMessages ?? assert.fail();
      assert.ok(message instanceof vscode.MarkdownString);
      assert.match(message.value, /a{10000}\\\\u\\\{202e\\\}end/u);
    }
  });

  it('refuse what is too long to be shown', () => {
    const uri = 'a'.repeat(100_000);
    assert.throws(() => prepareRead({ server: 'probe', uri }), /too long to be shown/u);
  });

  it('start a server that runs on demand', async () => {
    await configure({ lazy: probe({}, { startup: 'onDemand' }) });
    await untilState('lazy', 'stopped');
    assert.match(await find({}), /"server":"lazy"/);
  });
});
