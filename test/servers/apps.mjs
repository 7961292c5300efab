// A server with an interface of its own, and tools for models, for apps and for both. Each answers with its name.
// With the argument "plain" its tools do not name the interface.
import { initializeResult, send, serve } from './lines.mjs';

const resourceUri = process.argv.includes('plain') ? undefined : 'ui://board';
const tools = Object.entries({ both: undefined, refresh: ['app'], plan: ['model'] }).map(
  ([name, visibility]) => ({
    name,
    inputSchema: { type: 'object' },
    _meta: { ui: { resourceUri, ...(visibility && { visibility }) } },
  }),
);

const board = {
  uri: resourceUri,
  mimeType: 'text/html;profile=mcp-app',
  text: '<p>board',
  _meta: { ui: { csp: { connectDomains: ['https://example.com'] } } },
};

serve(({ id, method, params }) => {
  if (method === 'initialize') {
    send({ id, result: initializeResult({ capabilities: { tools: {}, resources: {} } }) });
  } else if (method === 'tools/list') {
    send({ id, result: { tools } });
  } else if (method === 'tools/call') {
    send({ id, result: { content: [{ type: 'text', text: params.name }] } });
  } else if (method === 'resources/list') {
    const { uri, _meta } = board;
    send({ id, result: { resources: [{ uri, name: 'board', _meta }] } });
  } else if (method === 'resources/read') {
    send({ id, result: { contents: [board] } });
  } else if (id !== undefined) {
    send({ id, result: {} });
  }
});
