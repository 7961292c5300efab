// src/mcp as the host uses it: connect, typed calls, whole lists. `era`: what the server speaks; over a pipe
// it is found out as always, over HTTP the first address that is tried is the right one.
import { connect } from '../../src/mcp/client/connect.ts';
import { listAll } from '../../src/mcp/client/listing.ts';
import { ModernHttpTransport } from '../../src/mcp/transport/http/modernHttp.ts';
import { StdioTransport } from '../../src/mcp/transport/stdio/stdio.ts';
import { StreamableHttpTransport } from '../../src/mcp/transport/http/streamableHttp.ts';

const hello = {
  client: { name: 'bench', version: '1.0.0' },
  features: {},
  times: { idleMs: 60_000, totalMs: 600_000 },
  openMs: 30_000,
};

/** The host hands over a plain object; reading process.env costs a call per variable. */
const env = { ...process.env };

export async function open(bindings) {
  const session = await connect(bindings, hello, new AbortController().signal);
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

/** Of a server that is remembered to speak the older era, as the host remembers it; the modern one is asked for first. */
export const erasFor = (era) => (era === 'modern' ? ['modern', 'legacy'] : ['legacy']);

export function connectStdio(command, args, era) {
  const connectTransport = () => new StdioTransport({ command, args, env });
  return open([{ label: 'stdio', wire: 'pipe', eras: erasFor(era), connect: connectTransport }]);
}

export function connectHttp(address, era) {
  const options = { url: new URL(address), headers: {} };
  const binding = { label: 'Streamable HTTP', wire: 'http' };
  const legacy = {
    ...binding,
    eras: ['legacy'],
    connect: () => new StreamableHttpTransport(options),
  };
  const modern = {
    ...binding,
    eras: ['modern'],
    connect: () => new ModernHttpTransport(options),
  };
  return open(era === 'modern' ? [modern, legacy] : [legacy]);
}
