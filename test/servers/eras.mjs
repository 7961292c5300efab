// A stdio server whose first words depend on MODE. It notes its starts, and the methods that it got,
// in the file NOTES.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { MODE, NOTES } = process.env;
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const note = (text) => appendFileSync(NOTES, `${text}\n`);
const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} };
let probe;
let isBound = false;

const modes = {
  // Ends at the first message that it does not know.
  dies: { discover: () => process.exit(3) },
  // Says nothing to what it does not know.
  silent: { discover: () => undefined },
  refuses: { discover: ({ id }) => send({ id, error: { code: -32603, message: 'what?' } }) },
  // Refuses, and names another request or none.
  nameless: { discover: () => send({ error: { code: -32601, message: 'no' } }) },
  nulls: { discover: () => send({ id: null, error: { code: -32601, message: 'no' } }) },
  foreign: { discover: () => send({ id: -32603, error: { code: 1, message: 'a defect' } }) },
  // Knows ids that are numbers alone.
  numbers: {
    discover: ({ id }) => send({ id: Number(id), error: { code: -32601, message: 'no' } }),
  },
  // Has to be started anew after a message that it did not know.
  sulks: {
    discover({ id }) {
      isBound = true;
      send({ id, error: { code: -32601, message: 'no' } });
    },
  },
  // Answers the question after the handshake was begun, which it does not know.
  slow: {
    discover: (message) => (probe = message),
    initialize({ id }) {
      send({ id: probe.id, result: discovered });
      send({ id, error: { code: -32601, message: 'Method not found' } });
    },
  },
  chatty: {
    discover({ id }) {
      process.stdout.write('Welcome!\n{ not json\n');
      process.stderr.write('starting up\n');
      send({ id, result: discovered });
    },
  },
};

note('start');
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  note(method);
  const mode = modes[MODE];
  if (method === 'server/discover') {
    mode.discover(message);
  } else if (method === 'initialize' && mode.initialize !== undefined) {
    mode.initialize(message);
  } else if (method === 'initialize' && isBound) {
    send({ id, error: { code: -32600, message: 'not now' } });
  } else if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: MODE, version: '1' };
    send({ id, result: { protocolVersion, capabilities: {}, serverInfo } });
  }
});
