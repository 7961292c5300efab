// A stdio server whose first list of tools fails. After a call of "change" it has one tool more, and takes longer to list
// them than anybody waits for a list that is about to change.
import { setTimeout as delay } from 'node:timers/promises';
import { initializeResult, Refusal, send, serveAnswers } from './lines.mjs';

const inputSchema = { type: 'object' };
const tools = [{ name: 'change', inputSchema }];
let isFirst = true;

serveAnswers({
  initialize: () => initializeResult({ capabilities: { tools: { listChanged: true } } }),
  'tools/list': async () => {
    if (isFirst) {
      isFirst = false;
      throw new Refusal(-32603, 'Not yet');
    }
    await delay(tools.length === 1 ? 0 : 4_000);
    return { tools };
  },
  'tools/call': () => {
    tools.push({ name: 'more', inputSchema });
    send({ method: 'notifications/tools/list_changed' });
    return { content: [] };
  },
});
