// A server over stdio for the benchmark in the editor: says when it is in use, and answers at once.
//   node server.mjs NAME FILE [TOOLS] [RESOURCES]
//   FILE gets a line with NAME and the time when a client has read the tools; the others say how many there are
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [name, file, toolCount = 2, resourceCount = 1] = process.argv.slice(2);
const big = 'The quick brown fox jumps over the lazy dog. '.repeat(23_302).slice(0, 2 ** 20);
const inputSchema = { type: 'object', properties: { word: { type: 'string' } } };
const annotations = { readOnlyHint: true, openWorldHint: false };
const tools = [
  { name: 'echo', description: 'Says a word.', inputSchema, annotations },
  { name: 'big', description: 'Says a mebibyte.', inputSchema, annotations },
  ...numbered(toolCount - 2, (number) => ({
    name: `echo_${number}`,
    description: `Says word ${number}.`,
    inputSchema,
    annotations,
  })),
];
const resources = [
  { uri: `bench://${name}/text`, name: 'text', mimeType: 'text/plain' },
  ...numbered(resourceCount - 1, (number) => ({
    uri: `bench://${name}/${number}`,
    name: `text ${number}`,
    mimeType: 'text/plain',
  })),
];

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name, version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'prompts/list': () => ({ prompts: [{ name: 'greet', description: 'Greets.' }] }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] }),
  'resources/list': () => ({ resources }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'Hello' }] }),
  'tools/call': ({ name: tool, arguments: { word = '' } = {} }) => ({
    content: [{ type: 'text', text: tool === 'big' ? big : word }],
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const answer = answers[method];
  const body = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
  if (method === 'tools/list') appendFileSync(file, `${name} ${Date.now()}\n`);
});

function numbered(length, item) {
  return Array.from({ length }, (_, index) => item(String(index + 1).padStart(5, '0')));
}
