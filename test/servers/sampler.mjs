// A stdio server that samples what it is told to, by files in the folder FOLDER: the params in `NAME.ask.json` are sent as
// sampling/createMessage, the reply is written to `NAME.reply.json`, and `NAME.cancel` withdraws
// the request, which `NAME.cancelled.json` confirms.
// REVISION is what it speaks.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { initializeResult, send, serve } from './lines.mjs';

const folder = process.env.FOLDER;
const protocolVersion = process.env.REVISION ?? '2025-11-25';
mkdirSync(folder, { recursive: true });

/** Names whose request was sent, and those that were withdrawn. */
const asked = new Set();
const withdrawn = new Set();

/** A reader never sees half a file. */
function write(name, value) {
  const file = path.join(folder, name);
  writeFileSync(`${file}.new`, JSON.stringify(value));
  renameSync(`${file}.new`, file);
}

function look() {
  for (const file of readdirSync(folder)) {
    const name = file.split('.')[0];
    if (file.endsWith('.ask.json') && !asked.has(name)) {
      asked.add(name);
      const params = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
      send({ id: `ask-${name}`, method: 'sampling/createMessage', params });
    }
    if (existsSync(path.join(folder, `${name}.cancel`)) && !withdrawn.has(name)) {
      withdrawn.add(name);
      send({ method: 'notifications/cancelled', params: { requestId: `ask-${name}` } });
      write(`${name}.cancelled.json`, {});
    }
  }
}

serve(({ id, method, result, error }) => {
  if (method === 'initialize') {
    const capabilities = { tools: {} };
    send({ id, result: initializeResult({ protocolVersion, capabilities }) });
  } else if (method === 'notifications/initialized') {
    setInterval(look, 50);
  } else if (method === 'tools/list') {
    send({ id, result: { tools: [] } });
  } else if (method === 'ping') {
    send({ id, result: {} });
  } else if (method === undefined) {
    write(`${String(id).replace('ask-', '')}.reply.json`, { result, error });
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }
});
