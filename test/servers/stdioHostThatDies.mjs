// A host that kills itself in the turn in which the process of the stdio server starts that its argument names. Before
// that it prints the ids of its children, one a line.
import { writeSync } from 'node:fs';
import { readProcessTable } from '../../src/mcp/transport/stdio/processTree.ts';
import { StdioTransport } from '../../src/mcp/transport/stdio/stdio.ts';

const [, , program] = process.argv;
void new StdioTransport({
  command: process.execPath,
  args: [program],
  env: process.env,
}).start(new AbortController().signal);
const children = readProcessTable().filter(({ parentPid }) => parentPid === process.pid);
writeSync(1, children.map(({ pid }) => `${pid}\n`).join(''));
process.kill(process.pid, 'SIGKILL');
