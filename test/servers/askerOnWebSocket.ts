// A server of the official SDK v1 on a WebSocket that lists and asks what sdkModern.mjs does, by requests of its own.
import { startSdkWebSocket } from './sdkWebSocket.ts';

function text(value: unknown): { readonly content: [{ type: 'text'; text: string }] } {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}

export function startAsker(): ReturnType<typeof startSdkWebSocket> {
  return startSdkWebSocket((server) => {
    server.registerTool('greet', {}, async () => {
      const { content } = await server.server.elicitInput({
        message: 'Who are you?',
        requestedSchema: {
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
        },
      });
      return text({ who: content });
    });
    server.registerTool('ask-model', {}, async () => {
      const { content } = await server.server.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
        maxTokens: 10,
      });
      return text({ model: content });
    });
    server.registerResource('note', 'mem://note', { mimeType: 'text/plain' }, async () => ({
      contents: [{ uri: 'mem://note', text: 'a note' }],
    }));
    server.registerPrompt('hello', { description: 'Says hello' }, async () => ({
      messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
    }));
  });
}
