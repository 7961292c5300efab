// A host that is there to be killed: starts the programs that its arguments name, each a stdio server, and prints
// one line of JSON when all of them run.
import { StdioTransport } from '../../src/mcp/transport/stdio/stdio.ts';

const running = new AbortController().signal;
for (const program of process.argv.slice(2)) {
  const transport = new StdioTransport({
    command: process.execPath,
    args: [program],
    env: process.env,
  });
  await transport.start(running);
}
process.stdout.write(`${JSON.stringify({ pid: process.pid })}\n`);
setTimeout(() => process.exit(9), 120_000);
