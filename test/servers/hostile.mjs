// A server whose every word would like to be an icon, a link or a command, to hide, to reorder or to
// flood. What it says at length ends with THE-END.
// Tools:
//   form {}     elicits with such words in message, titles, descriptions and choices
//   link {}     elicits a visit to a long URL, with a long message
//   sample {}   samples with such words in system prompt, messages, names of tools and stop sequences
//   fail {}     is answered with such an error
import { initializeResult, send, serve } from './lines.mjs';

const short = '$(trash) [Close](command:workbench.action.closeWindow)\u202e\u200b <b>bold</b> ';
const long = `${`${short}\n\n`.repeat(20)}${'words '.repeat(800)}${'\n'.repeat(200)}THE-END`;
const waiting = new Map();
let nextId = 0;

function ask(method, params, then) {
  const id = `ask-${nextId++}`;
  waiting.set(id, then);
  send({ id, method, params });
}

const reply = (id, value) =>
  send({ id, result: { content: [{ type: 'text', text: `${long} ${JSON.stringify(value)}` }] } });

const tools = {
  form(id) {
    const choices = [short, `${short} 2`].map((text) => ({ const: text, title: text }));
    const requestedSchema = {
      type: 'object',
      properties: {
        [short]: { type: 'string', title: short, description: long },
        choice: { type: 'string', title: short, oneOf: choices },
      },
    };
    ask('elicitation/create', { message: long, requestedSchema }, (answer) => reply(id, answer));
  },
  link(id) {
    const url = `https://shop.example/${'a'.repeat(5_000)}?THE-END`;
    const params = { mode: 'url', elicitationId: 'e1', url, message: long };
    ask('elicitation/create', params, (answer) => reply(id, answer));
  },
  sample(id) {
    const params = {
      messages: Array.from({ length: 10 }, () => ({
        role: 'user',
        content: [
          { type: 'text', text: long },
          { type: 'image', data: 'AAAA', mimeType: `image/${long}` },
        ],
      })),
      systemPrompt: long,
      maxTokens: 100_000,
      stopSequences: Array.from({ length: 100 }, (_, index) => `${short}${index}`),
    };
    ask('sampling/createMessage', params, (answer) => reply(id, answer));
  },
  fail(id) {
    send({ id, error: { code: -32000, message: long } });
  },
};

serve(({ id, method, params, result, error }) => {
  if (method === 'initialize') {
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    const serverInfo = { name: short, title: short, version: short };
    send({ id, result: initializeResult({ capabilities, serverInfo, instructions: long }) });
  } else if (method === 'tools/list') {
    const list = Object.keys(tools).map((name) => ({
      name,
      title: `${name} ${short}`,
      description: long,
      inputSchema: { type: 'object' },
    }));
    send({ id, result: { tools: list } });
  } else if (method === 'prompts/list') {
    const argument = { name: short, description: long };
    const prompt = { name: 'prompt', title: short, description: long, arguments: [argument] };
    send({ id, result: { prompts: [prompt] } });
  } else if (method === 'resources/list') {
    const resource = { uri: 'x://1', name: short, description: long, mimeType: short };
    send({ id, result: { resources: [resource] } });
  } else if (method === 'resources/templates/list') {
    send({ id, result: { resourceTemplates: [] } });
  } else if (method === 'tools/call') {
    tools[params.name](id);
  } else if (method === 'ping') {
    send({ id, result: {} });
  } else if (method === undefined) {
    waiting.get(id)?.(result ?? error);
  }
});
