// A server whose every tool asks for the roots, and answers with what it got.
import { ask, initializeResult, serveAnswers } from './lines.mjs';

serveAnswers({
  initialize: () => initializeResult(),
  'tools/list': () => ({ tools: [{ name: 'roots', inputSchema: { type: 'object' } }] }),
  'tools/call': async () => ({
    content: [{ type: 'text', text: JSON.stringify(await ask('roots/list', {})) }],
  }),
});
