// A server whose tools do what their name says, good or bad. `received` gives back all it was sent.
import { initializeResult, send, sendLine, serve } from './lines.mjs';

const received = [];
const asked = new Map();
const waiting = [];
let nextAskId = 0;

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const progress = (token, value) => ({
  method: 'notifications/progress',
  params: { progressToken: token, progress: value, total: 150 },
});
const reply = (id, value = 'done') => send({ id, result: text(value) });

function ask(method, then) {
  const id = `ask-${nextAskId++}`;
  asked.set(id, then);
  send({ id, method, params: {} });
  return id;
}

const tools = {
  echo: (id, { value }) => reply(id, value),
  received: (id) => send({ id, result: { content: [], structuredContent: { received } } }),
  silent() {},
  garbage(id) {
    for (const line of ['listening on port 3000', '{', '[]', 'null', '{"jsonrpc":"2.0"}', '']) {
      sendLine(line);
    }
    sendLine('{"jsonrpc":"2.0","result":null}');
    reply(id);
  },
  duplicate(id) {
    reply(id, 'first');
    reply(id, 'second');
  },
  stranger(id) {
    reply(9999, 'for nobody');
    reply(String(id), 'for the id as text');
    reply(id);
  },
  late(id, { afterMs }) {
    setTimeout(() => reply(id, 'too late'), afterMs);
  },
  reversed(id, { of }) {
    waiting.unshift(id);
    if (waiting.length === of) {
      waiting.forEach((each) => reply(each, String(each)));
    }
  },
  // One write, so that all of it arrives in one chunk.
  progressWithReply(id, _args, token) {
    const lines = Array.from({ length: 150 }, (_, index) => progress(token, index + 1));
    lines.push({ id, result: text('done') });
    sendLine(lines.map((line) => JSON.stringify({ jsonrpc: '2.0', ...line })).join('\n'));
  },
  progressAfterReply(id, _args, token) {
    reply(id);
    send(progress(token, 1));
  },
  steady(id, { everyMs, times }, token) {
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      send(progress(token, count));
      if (count === times) {
        clearInterval(timer);
        reply(id);
      }
    }, everyMs);
  },
  ping: (id) => ask('ping', (answer) => reply(id, JSON.stringify(answer.result))),
  roots: (id) =>
    ask('roots/list', (answer) => reply(id, JSON.stringify(answer.result ?? answer.error))),
  // Asks, takes the question back, and says whether an answer came all the same.
  rootsCancelled(id) {
    let hasAnswer = false;
    const askId = ask('roots/list', () => {
      hasAnswer = true;
    });
    send({ method: 'notifications/cancelled', params: { requestId: askId, reason: 'never mind' } });
    send({ method: 'notifications/cancelled', params: { requestId: 'unknown' } });
    send({ method: 'notifications/cancelled' });
    ask('ping', () => setTimeout(() => reply(id, String(hasAnswer)), 100));
  },
  exit() {
    process.stderr.write('Error: out of memory\n', () => process.exit(3));
  },
};

serve((message) => {
  received.push(message);
  const { id, method, params } = message;
  if (method === undefined) {
    const then = asked.get(id);
    asked.delete(id);
    then?.(message);
  } else if (method === 'initialize') {
    // Before the result, as some servers do.
    send({ method: 'notifications/message', params: { level: 'info', data: 'starting' } });
    send({ id, result: initializeResult() });
  } else if (method === 'notifications/initialized') {
    sendLine('{"jsonrpc":"2.0","result":null}');
  } else if (method === 'tools/call') {
    const { name, arguments: args = {}, _meta: meta = {} } = params;
    tools[name](id, args, meta.progressToken);
  } else if (id !== undefined) {
    send({ id, result: {} });
  }
});
