// A server that gets the handshake wrong, in the way that its first argument names.
import { initializeResult, send, serve } from './lines.mjs';

const ways = {
  exit() {
    process.stderr.write('ModuleNotFoundError: No module named "weather"\n', () => process.exit(1));
  },
  silent() {},
  unknownRevision: (id) =>
    send({ id, result: initializeResult({ protocolVersion: '2031-01-01' }) }),
  refuses: (id, { protocolVersion }) =>
    send({
      id,
      error: {
        code: -32602,
        message: 'Unsupported protocol version',
        data: { supported: ['2023-01-01'], requested: protocolVersion },
      },
    }),
  // The last argument is the only revision it takes.
  strict(id, { protocolVersion }) {
    const only = process.argv[3];
    if (protocolVersion === only) {
      send({ id, result: initializeResult({ protocolVersion: only }) });
    } else {
      send({
        id,
        error: {
          code: -32602,
          message: 'no',
          data: { supported: [only], requested: protocolVersion },
        },
      });
    }
  },
  older: (id) => send({ id, result: initializeResult({ protocolVersion: process.argv[3] }) }),
  notAnObject: (id) => send({ id, result: 'hello' }),
  minimal: (id) => send({ id, result: { protocolVersion: '2025-06-18', instructions: null } }),
};

serve(({ id, method, params }) => {
  if (method === 'initialize') {
    ways[process.argv[2]](id, params);
  } else if (id !== undefined) {
    send({ id, result: {} });
  }
});
