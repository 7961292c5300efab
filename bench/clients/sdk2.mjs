// @modelcontextprotocol/client, with its limits raised where a measurement would not run otherwise.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

async function open(transport) {
  // The default of 64 pages throws.
  const client = new Client({ name: 'bench', version: '1.0.0' }, { listMaxPages: 0 });
  await client.connect(transport);
  return {
    callTool: (name, args, onprogress) =>
      client.callTool({ name, arguments: args }, { onprogress, timeout: 120_000 }),
    listTools: async () => (await client.listTools()).tools,
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
