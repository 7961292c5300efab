// A stdio server of the handshake era whose answer to another question depends on MODE. It notes its starts, and the
// methods that it got, in the file NOTES.
import { appendFileSync } from 'node:fs';
import { initializeResult, send, serve } from './lines.mjs';

const { MODE, NOTES } = process.env;
const note = (text) => appendFileSync(NOTES, `${text}\n`);

const modes = {
  dies: () => process.exit(3),
  silent: () => undefined,
  refuses: (id) => send({ id, error: { code: -32603, message: 'what?' } }),
};

note('start');
serve(({ id, method }) => {
  note(method);
  if (method === 'server/discover') {
    modes[MODE](id);
  } else if (method === 'initialize') {
    send({ id, result: initializeResult() });
  }
});
