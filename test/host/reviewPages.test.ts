/** The pages that are read before something goes to a model: all of it, and nothing that hides. */
import assert from 'node:assert/strict';
import { contentOf } from '../../src/host/chat/modelContext.ts';
import { toModelRequest } from '../../src/host/sampling/modelRequest.ts';
import type { CreateMessageRequest } from '../../src/mcp/types/clientFeatures.ts';
import { promptHtml } from '../../src/vscode/prompts/promptDocument.ts';
import { requestHtml, requestLines } from '../../src/vscode/sampling/samplingText.ts';

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

  it('SAMP-03: what the model gets of results, links, pictures and tools is there', () => {
    const data = Buffer.from('a picture').toString('base64');
    const input = { n: 1 };
    const calls = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'look', input }) as const);
    const link = { type: 'resource_link', uri: 'notes://a', name: 'a', mimeType: 'x/y' } as const;
    const blob = { uri: 'notes://b', mimeType: 'image/png', blob: data } as const;
    const content = [
      { ...link, description: `${long} of a link` },
      { type: 'resource', resource: { uri: 'notes://c', text: 'an embedded text' } },
      { type: 'resource', resource: blob },
    ] as const;
    const schema = { type: 'object' } as const;
    const request: CreateMessageRequest = {
      messages: [
        { role: 'assistant', content: calls },
        {
          role: 'user',
          content: [
            { type: 'tool_result', toolUseId: 'a', content, isError: true },
            { type: 'tool_result', toolUseId: 'b', content: [], structuredContent: [long] },
          ],
        },
      ],
      maxTokens: 10,
      tools: [{ name: 'look', title: 'The title of a tool', inputSchema: schema }],
    };
    const { messages, tools } = toModelRequest(request, 'notes').forModel;
    const { texts, images } = contentOf(messages);
    const html = requestHtml(request, 'notes', 'a model').markup;
    const page = html.replaceAll('&#34;', '"').replaceAll(/\s+/gu, '');
    for (const text of [...texts, ...tools.map(({ description }) => description)]) {
      assert.ok(page.includes(text.replaceAll(/\s+/gu, '')), text.slice(-200));
    }
    assert.equal(images, 1);
    assert.ok(html.includes(data), 'the picture');
    const dialog = requestLines(request).join('\n');
    assert.match(dialog, /It has pictures/u);
    assert.match(dialog, /The tool reports an error/u);
  });

  it('PROM-05: the messages of a prompt are there whole', () => {
    const resource = { uri: 'notes://a', text: `${long} of a resource` };
    const messages = [
      { role: 'user', content: { type: 'text', text: `${long}${turned}` } },
      { role: 'user', content: { type: 'resource', resource } },
      {
        role: 'user',
        content: {
          type: 'resource_link',
          uri: long,
          name: 'a',
          title: long,
          description: long,
          mimeType: long,
        },
      },
    ] as const;
    const prompt = { name: 'ask' };
    const { markup } = promptHtml(
      { server: 'notes', serverId: 'user/notes', prompt, args: {}, result: { messages } },
      new Map(),
    );
    const seen = markup.replaceAll(/href="[^"]*"/gu, '');
    assert.equal(seen.split('the end').length - 1, 6);
    assert.ok(!markup.includes('\u202E'), 'a character that turns what follows');
  });
});
