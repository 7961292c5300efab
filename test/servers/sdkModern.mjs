// A stdio server built with the official SDK v2 for both eras: it elicits, samples and asks for roots
// in answers to `tools/call`, and its lists change. LEGACY=reject leaves it the modern era alone.
import process from 'node:process';
import { McpServer, fromJsonSchema, inputRequired } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const noInput = fromJsonSchema({ type: 'object', properties: {} });
const text = (value) => ({ content: [{ type: 'text', text: value }] });

function build() {
  const server = new McpServer(
    { name: 'sdk-modern', version: '2.0.0' },
    {
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
      instructions: 'Ask politely.',
    },
  );
  let count = 0;

  server.registerTool('echo', { inputSchema: noInput }, async () => text('echo'));
  server.registerTool('greet', { inputSchema: noInput }, async (_input, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    if (inputResponses === undefined) {
      return inputRequired({
        inputRequests: {
          who: inputRequired.elicit({
            message: 'Who are you?',
            requestedSchema: {
              type: 'object',
              properties: { name: { type: 'string' } },
              required: ['name'],
            },
          }),
          roots: inputRequired.listRoots(),
        },
        requestState: 'state "one" ☃',
      });
    }
    const { who, roots } = inputResponses;
    return text(JSON.stringify({ who, roots, state: mcpReq.requestState() }));
  });
  server.registerTool('ask-model', { inputSchema: noInput }, async (_input, { mcpReq }) => {
    if (mcpReq.inputResponses === undefined) {
      return inputRequired({
        inputRequests: {
          model: inputRequired.createMessage({
            messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
            maxTokens: 10,
          }),
        },
      });
    }
    return text(JSON.stringify(mcpReq.inputResponses.model));
  });
  server.registerTool('grow', { inputSchema: noInput }, async () => {
    server.registerTool(`grown-${++count}`, { inputSchema: noInput }, async () => text('grown'));
    return text(`grown ${count}`);
  });
  server.registerTool('log', { inputSchema: noInput }, async (_input, { mcpReq }) => {
    await mcpReq.log('info', 'logged');
    return text('done');
  });
  // Tells what came in `_meta` beside the envelope, and reports progress if that was asked for.
  server.registerTool('meta', { inputSchema: noInput }, async (_input, { mcpReq }) => {
    const { _meta: { progressToken, ...meta } = {} } = mcpReq;
    if (progressToken !== undefined) {
      const params = { progressToken, progress: 1 };
      await mcpReq.notify({ method: 'notifications/progress', params });
    }
    return text(JSON.stringify({ meta, progressToken }));
  });
  let touches = 0;
  const touch = async () => {
    touches += 1;
    await server.server.sendResourceUpdated({ uri: 'mem://note' });
  };
  server.registerTool('touch', { inputSchema: noInput }, async () => {
    await touch();
    return text('touched');
  });
  // For who has no tools at hand.
  server.registerResource('touch', 'mem://touch', { mimeType: 'text/plain' }, async () => {
    await touch();
    return { contents: [{ uri: 'mem://touch', text: 'touched' }] };
  });
  server.registerTool('wait', { inputSchema: noInput }, async (_input, { mcpReq }) => {
    await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve));
    process.stderr.write('wait was cancelled\n');
    return text('too late');
  });
  server.registerResource('note', 'mem://note', { mimeType: 'text/plain' }, async () => ({
    contents: [{ uri: 'mem://note', text: touches === 0 ? 'a note' : 'a touched note' }],
  }));
  server.registerPrompt('hello', { description: 'Says hello' }, async () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
  }));
  return server;
}

serveStdio(build, { legacy: process.env.LEGACY ?? 'serve' });
