// @modelcontextprotocol/sdk, with its limits raised where a measurement would not run otherwise.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';

async function open(transport) {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(transport);
  return {
    callTool: (name, args, onprogress) =>
      client.callTool({ name, arguments: args }, undefined, { onprogress, timeout: 120_000 }),
    async listTools() {
      const tools = [];
      let cursor;
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    close: () => client.close(),
  };
}

export function connectStdio(command, args) {
  const maxBufferSize = 256 * 1024 * 1024; // the default of 10 MiB closes the connection
  return open(new StdioClientTransport({ command, args, stderr: 'ignore', maxBufferSize }));
}

export function connectHttp(url) {
  return open(new StreamableHTTPClientTransport(new URL(url)));
}

export function connectWebSocket(url) {
  return open(new WebSocketClientTransport(new URL(url)));
}
