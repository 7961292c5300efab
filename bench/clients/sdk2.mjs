// @modelcontextprotocol/client, with its limits raised where a measurement would not run otherwise.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

async function open(transport, era) {
  // The default of 64 pages throws.
  const versionNegotiation = { mode: era === 'modern' ? 'auto' : 'legacy' };
  const options = { listMaxPages: 0, versionNegotiation };
  const client = new Client({ name: 'bench', version: '1.0.0' }, options);
  await client.connect(transport);
  return {
    callTool: (name, args, onprogress) =>
      client.callTool({ name, arguments: args }, { onprogress, timeout: 120_000 }),
    listTools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
}

export function connectStdio(command, args, era) {
  const maxBufferSize = 256 * 1024 * 1024; // the default of 10 MiB closes the connection
  return open(new StdioClientTransport({ command, args, stderr: 'ignore', maxBufferSize }), era);
}

export function connectHttp(url, era) {
  return open(new StreamableHTTPClientTransport(new URL(url)), era);
}
