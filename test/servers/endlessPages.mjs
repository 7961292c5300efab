// A server whose lists do not end: tools with a new cursor each time, prompts with one that comes again.
import { initializeResult, send, serve } from './lines.mjs';

let page = 0;

serve(({ id, method }) => {
  page += 1;
  if (method === 'initialize') {
    send({ id, result: initializeResult() });
  } else if (method === 'tools/list') {
    const tools = [{ name: `tool${page}`, inputSchema: { type: 'object' } }];
    send({ id, result: { tools, nextCursor: `page ${page}` } });
  } else if (method === 'prompts/list') {
    send({ id, result: { prompts: [{ name: `prompt${page}` }], nextCursor: 'again' } });
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: 'Method not found' } });
  }
});
