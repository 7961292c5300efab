// A stdio server that does not end: it and its child live on through the end of input and SIGTERM. Both append their
// process ids, one a line, to the file that the environment names as PIDS. With SILENT in the environment it answers nothing.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { initializeResult, send } from './lines.mjs';

const isChild = process.argv[2] === 'child';
process.on('SIGTERM', () => undefined);
// Spares the machine if a test fails.
setTimeout(() => process.exit(9), 120_000);
appendFileSync(process.env.PIDS, `${process.pid}\n`);

if (!isChild) {
  spawn(process.execPath, [import.meta.filename, 'child'], { stdio: 'ignore' });
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id !== undefined && process.env.SILENT === undefined) {
      send({ id, result: method === 'initialize' ? initializeResult({ capabilities: {} }) : {} });
    }
  });
}
