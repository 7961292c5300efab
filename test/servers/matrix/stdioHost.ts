// The server of the protocol matrix as a process: one message a line. The arguments are the revision and a file
// for what went over the wire.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Outlet } from './script.ts';
import { scriptFor } from './scriptFor.ts';

const [revision = '', wireFile] = process.argv.slice(2);

function note(line: string): void {
  if (wireFile !== undefined) {
    appendFileSync(wireFile, `${line}\n`);
  }
}

const out: Outlet = {
  send(message) {
    const text = JSON.stringify(message);
    note(`< ${text}`);
    process.stdout.write(`${text}\n`);
  },
};
const script = scriptFor(revision, {
  push: out,
  die: () => process.exit(3),
});
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  note(`> ${line}`);
  script.receive(JSON.parse(line), out);
});
lines.on('close', () => process.exit(0));
