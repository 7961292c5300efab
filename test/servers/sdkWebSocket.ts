/**
 * A server of the official SDK v1 on WebSockets. The SDK has no such transport for servers; the few lines that
 * put its messages into text frames are here.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { WebSocket } from 'ws';
import { WebSocketScripted } from './webSocketScripted.ts';

function transportOn(socket: WebSocket): Transport {
  const transport: Transport = {
    start: async () => {
      socket.on('message', (data) => {
        const text = Buffer.isBuffer(data) ? data.toString() : '';
        transport.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(text)));
      });
      socket.on('close', () => transport.onclose?.());
      socket.on('error', (error) => transport.onerror?.(error));
    },
    send: async (message) => socket.send(JSON.stringify(message)),
    close: async () => socket.close(),
  };
  return transport;
}

/** Starts it; `build` adds what the server has. */
export async function startSdkWebSocket(
  build: (server: McpServer) => void,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const listener = new WebSocketScripted({
    onConnection: (socket) => {
      const server = new McpServer({ name: 'sdk-v1', version: '1.0.0' });
      build(server);
      void server.connect(transportOn(socket));
    },
    onText: () => undefined,
  });
  await listener.start();
  return { url: listener.url.href, close: () => listener.close() };
}
