// A stdio server that does what a host has to cope with, as its environment says:
//   EXIT_IN_HANDSHAKE=1   ends when it is asked to initialize
//   PIDS=<file>           appends its process id, so that a test can look for it
// Its tool "crash" writes a line to stderr and ends the process.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { EXIT_IN_HANDSHAKE, PIDS } = process.env;
if (PIDS !== undefined) {
  appendFileSync(PIDS, `${process.pid}\n`);
}

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'crashing', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'crash', inputSchema: { type: 'object' } }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'tools/call' || (method === 'initialize' && EXIT_IN_HANDSHAKE !== undefined)) {
    console.error(`${method}: cannot go on`);
    process.exit(3);
  }
  if (id !== undefined) {
    const result = results[method]?.(params) ?? {};
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }
});
