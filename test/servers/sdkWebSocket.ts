/**
 * A server of the official SDK v1 on WebSockets. The SDK has no such transport for servers; the few lines that
 * put its messages into text frames are here.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { type AddressInfo, type WebSocket, WebSocketServer } from 'ws';

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
  const listener = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  listener.on('connection', (socket) => {
    const server = new McpServer({ name: 'sdk-v1', version: '1.0.0' });
    build(server);
    void server.connect(transportOn(socket));
  });
  await new Promise((resolve) => {
    listener.once('listening', resolve);
  });
  const { port }: AddressInfo = JSON.parse(JSON.stringify(listener.address()));
  return {
    url: `ws://127.0.0.1:${port}`,
    close: async () => {
      for (const client of listener.clients) {
        client.terminate();
      }
      await new Promise((resolve) => {
        listener.close(resolve);
      });
    },
  };
}
