// A host that exits at once while a stubborn server with children is running. Prints their ids.
import { StdioTransport } from '../../src/mcp/transport/stdio/stdio.ts';

const transport = new StdioTransport({
  command: process.execPath,
  args: [new URL('stdioScripted.mjs', import.meta.url).pathname],
  env: process.env,
});
transport.onDidReceive(({ message }) => {
  process.stdout.write(JSON.stringify(message.result), () => process.exit(0));
});
await transport.start(new AbortController().signal);
void transport.send({ jsonrpc: '2.0', id: 1, method: 'tree' });
