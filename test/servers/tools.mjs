// A server whose tools do what their name says. `received` gives back all it was sent.
import { initializeResult, send, serve } from './lines.mjs';

const received = [];
const asked = new Map();
let nextAskId = 0;

const reply = (id, value = 'done') =>
  send({ id, result: { content: [{ type: 'text', text: value }] } });

const tools = {
  received: (id) => send({ id, result: { content: [], structuredContent: { received } } }),
  silent() {},
  late(id, { afterMs }) {
    setTimeout(() => reply(id, 'too late'), afterMs);
  },
  steady(id, { everyMs, times }, progressToken) {
    let progress = 0;
    const timer = setInterval(() => {
      progress += 1;
      send({ method: 'notifications/progress', params: { progressToken, progress, total: 150 } });
      if (progress === times) {
        clearInterval(timer);
        reply(id);
      }
    }, everyMs);
  },
  roots(id) {
    const askId = `ask-${nextAskId++}`;
    asked.set(askId, (answer) => reply(id, JSON.stringify(answer.result ?? answer.error)));
    send({ id: askId, method: 'roots/list', params: {} });
  },
};

serve((message) => {
  received.push(message);
  const { id, method, params } = message;
  if (method === undefined) {
    asked.get(id)?.(message);
    asked.delete(id);
  } else if (method === 'initialize') {
    send({ id, result: initializeResult() });
  } else if (method === 'tools/call') {
    const { name, arguments: args = {}, _meta: meta = {} } = params;
    tools[name](id, args, meta.progressToken);
  } else if (id !== undefined) {
    send({ id, result: {} });
  }
});
