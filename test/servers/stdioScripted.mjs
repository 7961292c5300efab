// A stdio server that does what each request tells it to, good or bad. It knows no MCP method.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const received = [];
let buffer = '';

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function numberedLine(_, n) {
  return `${JSON.stringify({ jsonrpc: '2.0', method: 'n', params: { n } })}\n`;
}

function startNode(script, options) {
  return spawn(process.execPath, [import.meta.filename, ...script], {
    stdio: 'ignore',
    ...options,
  });
}

// Keeps living through end of input and SIGTERM; the limit spares the machine if a test fails.
function beStubborn() {
  process.on('SIGTERM', () => undefined);
  setTimeout(() => process.exit(9), 60_000);
}

const commands = {
  echo: ({ params, id }) => send({ id, result: params }),
  describe: ({ id }) =>
    send({ id, result: { args: process.argv.slice(2), cwd: process.cwd(), env: process.env } }),
  pid: ({ id }) => send({ id, result: process.pid }),
  received: ({ id }) => send({ id, result: received.join('') }),
  async write({ params, id }) {
    for (const chunk of params.chunks) {
      process.stdout.write(Buffer.from(chunk, 'base64'));
      await sleep(params.pauseMs ?? 5);
    }
    send({ id, result: null });
  },
  big: ({ params, id }) => send({ id, result: 'x'.repeat(params.bytes) }),
  burst({ params, id }) {
    process.stdout.write(Array.from({ length: params.count }, numberedLine).join(''));
    send({ id, result: null });
  },
  stderr({ params, id }) {
    process.stderr.write(params.text);
    send({ id, result: null });
  },
  exit({ params }) {
    process.stdout.write(params.last ?? '', () => process.exit(params.code));
  },
  fail({ params }) {
    process.stderr.write(params.text, () => process.exit(1));
  },
  kill: ({ params }) => process.kill(process.pid, params.signal),
  closeOutput() {
    setTimeout(() => undefined, 60_000);
    process.stdout.end();
    process.stdout.destroy();
  },
  closeInput({ id }) {
    setTimeout(() => undefined, 60_000);
    process.stdin.destroy();
    try {
      closeSync(0);
    } catch {
      // it is closed
    }
    send({ id, result: null });
  },
  stopReading({ id }) {
    process.stdin.pause();
    setTimeout(() => undefined, 60_000);
    send({ id, result: null });
  },
  stubborn({ id }) {
    beStubborn();
    send({ id, result: null });
  },
  // A child that has a child, and a child in a session of its own: none of them ends by itself.
  tree({ id }) {
    beStubborn();
    const child = startNode(['stubbornParent'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const outsider = startNode(['stubborn'], { detached: true });
    child.stdout.once('data', (text) =>
      send({ id, result: [process.pid, child.pid, Number(text), outsider.pid] }),
    );
  },
  // What a server may leave behind on purpose: a process of init's, in a session of its own.
  daemon({ id }) {
    const parent = startNode(['daemonParent'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    parent.stdout.on('data', (chunk) => (text += chunk));
    parent.once('close', () => send({ id, result: Number(text) }));
  },
  // A child in our group that outlives us, holding our output open.
  leaveChild({ id }) {
    const child = spawn(process.execPath, [import.meta.filename, 'stubborn'], {
      stdio: ['ignore', 'inherit', 'ignore'],
    });
    child.unref();
    send({ id, result: child.pid });
  },
};

const roles = {
  stubborn: beStubborn,
  stubbornParent() {
    beStubborn();
    process.stdout.write(String(startNode(['stubborn']).pid));
  },
  daemonParent() {
    const daemon = startNode(['sleeper'], { detached: true });
    daemon.unref();
    process.stdout.write(String(daemon.pid));
  },
  sleeper() {
    setTimeout(() => undefined, 60_000);
  },
};

const role = roles[process.argv[2]];
if (role === undefined) {
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    received.push(text);
    buffer += text;
    const lines = buffer.split('\n');
    buffer = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      commands[message.method]?.(message);
    }
  });
} else {
  role();
}
