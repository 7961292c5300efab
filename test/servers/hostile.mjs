// A server whose every word would like to be an icon, a link or a command, to hide, to reorder or to
// flood. What it says at length ends with THE-END.
// Tools:
//   form {}     elicits with such words in message, titles, descriptions and choices
//   link {}     elicits a visit to a long URL, with a long message
//   sample {}   samples with such words in system prompt, messages, names of tools and stop sequences
//   fail {}     is answered with such an error
import { ask, initializeResult, Refusal, serveAnswers } from './lines.mjs';

const short = '$(trash) [Close](command:workbench.action.closeWindow)\u202e\u200b <b>bold</b> ';
const long = `${`${short}\n\n`.repeat(20)}${'words '.repeat(800)}${'\n'.repeat(200)}THE-END`;
const elicit = async (method, params) => {
  const { result, error } = await ask(method, params);
  const text = `${long} ${JSON.stringify(result ?? error)}`;
  return { content: [{ type: 'text', text }] };
};

const tools = {
  form() {
    const choices = [short, `${short} 2`].map((text) => ({ const: text, title: text }));
    const requestedSchema = {
      type: 'object',
      properties: {
        [short]: { type: 'string', title: short, description: long },
        choice: { type: 'string', title: short, oneOf: choices },
      },
    };
    return elicit('elicitation/create', { message: long, requestedSchema });
  },
  link() {
    const url = `https://shop.example/${'a'.repeat(5_000)}?THE-END`;
    return elicit('elicitation/create', { mode: 'url', elicitationId: 'e1', url, message: long });
  },
  sample() {
    const content = [
      { type: 'text', text: long },
      { type: 'image', data: 'AAAA', mimeType: `image/${long}` },
    ];
    return elicit('sampling/createMessage', {
      messages: Array.from({ length: 10 }, () => ({ role: 'user', content })),
      systemPrompt: long,
      maxTokens: 100_000,
      stopSequences: Array.from({ length: 100 }, (_, index) => `${short}${index}`),
    });
  },
  fail() {
    throw new Refusal(-32000, long);
  },
};

const named = { name: short, title: short, description: long };

serveAnswers({
  initialize: () =>
    initializeResult({
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: short, title: short, version: short },
      instructions: long,
    }),
  'tools/list': () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      title: `${name} ${short}`,
      description: long,
      inputSchema: { type: 'object' },
    })),
  }),
  'tools/call': ({ name }) => tools[name](),
  'prompts/list': () => ({ prompts: [{ ...named, name: 'prompt', arguments: [named] }] }),
  'resources/list': () => ({
    resources: [{ uri: 'x://1', name: short, description: long, mimeType: short }],
  }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
});
