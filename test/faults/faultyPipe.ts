// A process between a client and a stdio server: CONTROL COMMAND ARGS… What the file CONTROL says is the fault, read
// again and again; everything goes through until there is one.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { FaultyBytes } from './faultyBytes.ts';
import { isStreamFault } from './kinds.ts';

const [control = '', command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const back = new FaultyBytes(
  (bytes) => process.stdout.write(bytes),
  () => process.stdout.destroy(),
  () => process.stdout.writable,
);
let fault = '';
appendFileSync(`${control}.pids`, `${process.pid}\n${server.pid}\n`);

process.stdin.on('data', (bytes) => fault === 'halfOpen' || server.stdin.write(bytes));
process.stdin.on('end', () => fault === 'halfOpen' || server.stdin.end());
server.stdout.on('data', (bytes: Buffer) => {
  if (fault === 'noise') {
    process.stdout.write('Listening on port 3000\n{"level":"info"}\n[]\nnull\n');
  } else if (fault === 'binaryNoise') {
    process.stdout.write(Buffer.from([0, 255, 254, 10, 0xef, 0xbb, 0xbf, 10]));
  }
  back.take(isStreamFault(fault) ? fault : undefined, bytes);
});
server.on('exit', (code) => process.exit(code ?? 1));
for (const stream of [process.stdout, server.stdin]) {
  stream.on('error', () => undefined);
}

const once: Readonly<Record<string, () => void>> = {
  'exit 0': () => process.exit(0),
  'exit 1': () => process.exit(1),
  'exit 137': () => process.exit(137),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  terminate: () => process.kill(process.pid, 'SIGTERM'),
  closeOutput: () => closeSync(1),
};
const ever: Readonly<Record<string, () => void>> = {
  endlessLine: () => process.stdout.write('x'.repeat(1_000_000)),
  stderrFlood: () => process.stderr.write('something is wrong\n'.repeat(2_000)),
};

setInterval(() => {
  const now = existsSync(control) ? readFileSync(control, 'utf8') : fault;
  if (now !== fault) {
    fault = now;
    writeFileSync(`${control}.seen`, fault);
    once[fault]?.();
  }
  ever[fault]?.();
}, 20);
