// src/mcp as the host uses it: connect, typed calls, whole lists.
import { connect } from '../../src/mcp/connect.ts';
import { listAll } from '../../src/mcp/listing.ts';
import { createStreamableHttpTransport } from '../../src/mcp/transport/streamableHttp.ts';
import { createStdioTransport } from '../../src/mcp/transport/stdio.ts';

const hello = {
  client: { name: 'bench', version: '1.0.0' },
  features: {},
  times: { idleMs: 60_000, totalMs: 600_000 },
  openMs: 30_000,
};

/** The host hands over a plain object; reading process.env costs a call per variable. */
const env = { ...process.env };

async function open(binding) {
  const session = await connect([binding], hello, new AbortController().signal);
  return {
    callTool: (name, args, onProgress) =>
      session.call('tools/call', { name, arguments: args }, { onProgress }),
    async listTools() {
      const { items, dropped, truncated } = await listAll(session, 'tools');
      if (dropped.length > 0 || truncated !== undefined) {
        throw new Error(`The list is not whole: ${truncated ?? dropped[0].reason}`);
      }
      return items;
    },
    close: () => session.close(),
  };
}

export function connectStdio(command, args) {
  const connectTransport = () => createStdioTransport({ command, args, env });
  return open({ label: 'stdio', wire: 'pipe', eras: ['legacy'], connect: connectTransport });
}

export function connectHttp(url) {
  const connectTransport = () => createStreamableHttpTransport({ url: new URL(url), headers: {} });
  return open({
    label: 'Streamable HTTP',
    wire: 'http',
    eras: ['legacy'],
    connect: connectTransport,
  });
}
