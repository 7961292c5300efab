// The server of the protocol matrix as a process: one message a line. The argument is the revision.
import { createInterface } from 'node:readline';
import type { Outlet } from './matrixScript.ts';
import { scriptFor } from './scriptFor.ts';

const out: Outlet = {
  send: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
};
const script = scriptFor(process.argv[2] ?? '', { push: out, die: () => process.exit(3) });
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => script.receive(JSON.parse(line), out));
lines.on('close', () => process.exit(0));
