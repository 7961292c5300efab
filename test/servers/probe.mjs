// A stdio server that tells what it was given and does what it is asked to, through its resources, so that a test
// needs nothing but an editor's file system to talk to it. What follows a "?" in a URI is for the host alone.
//   probe://host/pid, cwd, env/<NAME>     what the process was started with
//   probe://host/roots                    the host's answer to roots/list, and what it declared
//   probe://host/rootsChanged             how often the host said that they changed
//   probe://host/counter                  counts the reads of probe://host/count, which announces the change
//   probe://host/quiet                    counts them, too, but nothing is said of a change of it
//   probe://host/subscriptions            what the host is subscribed to
//   probe://host/more                     lists one resource more from now on
//   probe://host/crash                    ends the process after a line on stderr
//   probe://host/{notes.md,colours.json,square.png,bytes,large}   contents of several kinds
//   probe://host/locked                   is refused
// Its environment says more:
//   PIDS=<file>   appends its process id, one a line
//   ITEMS=<n>     lists this many tools and resources
//   FIELDS=<n>    lets the input of each tool have this many fields, value1 and so on, all of them texts
//   RESOURCES=<n> so many resources instead, in folders
//   PAGE=<n>      so many of them a page, 100 unless told
//   CRASH=1       ends when it is asked to initialize
import { appendFileSync } from 'node:fs';
import { ask, initializeResult, Refusal, send, serveAnswers, unanswered } from './lines.mjs';

const { PIDS, ITEMS = '0', PAGE = '100', FIELDS = '0', RESOURCES, CRASH } = process.env;
const items = Number(ITEMS);
const fields = Array.from({ length: Number(FIELDS) }, (_, n) => [
  `value${n + 1}`,
  { type: 'string' },
]);
let resources = Number(RESOURCES ?? ITEMS);
const base = 'probe://host/';
const notes = '# Notes\n\nTwo words: grün, 緑.\n';
// A blue square on white, 64 by 64 pixels.
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAWUlEQVR42u3aQQ0AMAgEQfxgsS4riKoggXQua2D+F7V8AQAAAADQAshzRwUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0Afw2AIAAAD4AvAARWc2/wq8F4EAAAAASUVORK5CYII=';

const subscriptions = new Set();
let capabilities;
let rootsChanged = 0;
let counter = 0;

const text = (value, mimeType = 'text/plain') => ({ text: value, mimeType });
const json = (value) => text(JSON.stringify(value), 'application/json');

const contents = {
  pid: () => text(String(process.pid)),
  cwd: () => text(process.cwd()),
  roots: async () => json({ declared: capabilities.roots, ...(await ask('roots/list')) }),
  rootsChanged: () => text(String(rootsChanged)),
  counter: () => text(String(counter)),
  quiet: () => text(String(counter)),
  more: () => {
    resources += 1;
    return text(String(resources));
  },
  count: () => {
    counter += 1;
    if (subscriptions.has(`${base}counter`)) {
      send({ method: 'notifications/resources/updated', params: { uri: `${base}counter` } });
    }
    return text(String(counter));
  },
  subscriptions: () => json([...subscriptions]),
  crash: () => {
    process.stderr.write('probe: out of memory\n', () => process.exit(3));
  },
  'notes.md': () => text(notes, 'text/markdown'),
  'colours.json': () => text('{ "blue": "#0000ff" }\n', 'application/json'),
  'square.png': () => ({ blob: picture, mimeType: 'image/png' }),
  bytes: () => ({ blob: Buffer.from([0, 255, 0, 128]).toString('base64') }),
  large: () => text('0123456789abcde\n'.repeat((5 * 1024 * 1024) / 16)),
  env: ([name]) => json(process.env[name] ?? null),
};

async function read({ uri }) {
  const [name, ...path] = uri.slice(base.length).split('?')[0].split('/');
  if (name === 'locked') throw new Refusal(-32603, 'The archive is locked for today');
  if (name === 'album') {
    const parts = [contents['notes.md'](), contents['square.png']()];
    return { contents: parts.map((part, n) => ({ uri: `${uri}/${n}`, ...part })) };
  }
  if (contents[name] === undefined) throw new Refusal(-32002, 'Resource not found', { uri });
  const content = await contents[name](path);
  return content === undefined ? unanswered : { contents: [{ uri, ...content }] };
}

/** One page of `count` things; the cursor is the number of the first. */
function list(key, count, { cursor }, make) {
  const from = Number(cursor ?? 0);
  const to = Math.min(count, from + Number(PAGE));
  const page = Array.from({ length: to - from }, (_, index) => make(from + index + 1));
  return { [key]: page, ...(to < count ? { nextCursor: String(to) } : {}) };
}

if (PIDS !== undefined) {
  appendFileSync(PIDS, `${process.pid}\n`);
}
serveAnswers({
  initialize: (params) => {
    if (CRASH !== undefined) {
      process.stderr.write('probe: no disk left\n', () => process.exit(4));
      return unanswered;
    }
    ({ capabilities } = params);
    return initializeResult({ serverInfo: { name: 'probe', version: '1.0.0' } });
  },
  'notifications/roots/list_changed': () => {
    rootsChanged += 1;
  },
  'tools/list': (params) =>
    list('tools', items, params, (n) => ({
      name: `tool-${n}`,
      description: `Does the thing that has the number ${n}`,
      inputSchema: {
        type: 'object',
        properties: { value: { type: 'string' }, ...Object.fromEntries(fields) },
      },
    })),
  'prompts/list': () => ({ prompts: [] }),
  'resources/list': (params) =>
    list('resources', resources, params, (n) => ({
      uri: RESOURCES === undefined ? `${base}item/${n}` : `${base}shelf-${n % 100}/item/${n}`,
      name: `item-${n}`,
    })),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': read,
  'resources/subscribe': ({ uri }) => {
    subscriptions.add(uri);
  },
  'resources/unsubscribe': ({ uri }) => {
    subscriptions.delete(uri);
  },
});
