/** The pages that are read before something goes to a model: all of it, and nothing that hides. */
import assert from 'node:assert/strict';
import type { CreateMessageRequest } from '../../src/mcp/types/clientFeatures.ts';
import { promptHtml } from '../../src/vscode/prompts/promptDocument.ts';
import { requestHtml } from '../../src/vscode/sampling/samplingText.ts';

const long = `${'x'.repeat(300_000)} the end`;
const turned = 'safe\u202Eevil';
const hidden = 'safe\u{fffd}evil';

describe('what is read before it goes to a model', () => {
  it('SAMP-03: a request has all of its texts, and shows characters that hide', () => {
    const content = [
      { type: 'text', text: long },
      { type: 'text', text: turned },
    ] as const;
    const request: CreateMessageRequest = {
      messages: [{ role: 'user', content }],
      systemPrompt: `${long} of the system`,
      maxTokens: 10,
      stopSequences: [turned, long],
      tools: [{ name: turned, description: long, inputSchema: { type: 'object', title: turned } }],
    };
    const { markup } = requestHtml(request, 'notes', 'a model');
    assert.equal(markup.split('the end').length - 1, 4);
    assert.ok(!markup.includes('\u202E'), 'a character that turns what follows');
    assert.equal(markup.split(hidden).length - 1, 4);
  });

  it('PROM-05: the messages of a prompt are there whole', () => {
    const resource = { uri: 'notes://a', text: `${long} of a resource` };
    const messages = [
      { role: 'user', content: { type: 'text', text: `${long}${turned}` } },
      { role: 'user', content: { type: 'resource', resource } },
    ] as const;
    const prompt = { name: 'ask' };
    const { markup } = promptHtml(
      { server: 'notes', serverId: 'user/notes', prompt, args: {}, result: { messages } },
      new Map(),
    );
    assert.equal(markup.split('the end').length - 1, 2);
    assert.ok(!markup.includes('\u202E'), 'a character that turns what follows');
  });
});
