// A host that kills itself while it starts the stdio server that its argument names: in the turn in which the process
// starts (`at once`), or in the one in which the start resolves (`when started`). Before that it prints the ids of its
// children, one a line.
import { writeSync } from 'node:fs';
import { readProcessTable } from '../../src/mcp/transport/stdio/processTree.ts';
import { StdioTransport } from '../../src/mcp/transport/stdio/stdio.ts';

const [, , program, moment] = process.argv;
const started = new StdioTransport({
  command: process.execPath,
  args: [program],
  env: process.env,
}).start(new AbortController().signal);
if (moment === 'when started') {
  await started;
}
const children = readProcessTable().filter(({ parentPid }) => parentPid === process.pid);
writeSync(1, children.map(({ pid }) => `${pid}\n`).join(''));
process.kill(process.pid, 'SIGKILL');
