// A server whose app checks its host: one line for each requirement of MCP Apps that a view can see.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { initializeResult, Refusal, send, serveAnswers, unanswered } from './lines.mjs';

const resourceUri = 'ui://conformance/page';
const mark = { 'example.com/mark': 'kept' };
/** Since the page was opened last. */
let cancelled = [];
/** The id of the call that goes on until it is cancelled. */
let waiting;

const tool = (name, ui, properties = {}) => ({
  name,
  description: `Of the conformance page: ${name}`,
  inputSchema: { type: 'object', properties },
  annotations: { readOnlyHint: true, openWorldHint: false },
  _meta: { ui },
});

function call(id, { name, arguments: input = {}, _meta: { progressToken } = {} }) {
  if (name === 'work' && input.until === 'cancelled') {
    waiting = id;
    send({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
    return unanswered;
  }
  if (name === 'work' && input.until === 'changed') {
    send({ method: 'notifications/tools/list_changed' });
  }
  if (name === 'conformance') cancelled = [];
  const structuredContent = { name, input, cancelled };
  const text = name === 'conformance' ? 'The conformance page is shown.' : `The result of ${name}`;
  return { content: [{ type: 'text', text }], structuredContent, _meta: mark };
}

serveAnswers({
  initialize: () =>
    initializeResult({ capabilities: { tools: { listChanged: true }, resources: {} } }),
  'tools/list': () => ({
    tools: [
      tool('conformance', { resourceUri }, { word: { type: 'string' } }),
      tool('work', { visibility: ['app'] }),
      tool('plan', { visibility: ['model'] }),
    ],
  }),
  'tools/call': (params, id) => call(id, params),
  'notifications/cancelled': ({ requestId }) => {
    if (requestId === waiting) cancelled.push('work');
  },
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => {
    if (uri === 'test://words') return { contents: [{ uri, text: 'Words', _meta: mark }] };
    if (uri !== resourceUri) throw new Refusal(-32_002, 'Resource not found');
    const text = readFileSync(path.join(import.meta.dirname, 'appConformance.html'), 'utf8');
    const csp = { connectDomains: ['https://declared.example'] };
    return {
      contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text, _meta: { ui: { csp } } }],
    };
  },
});
