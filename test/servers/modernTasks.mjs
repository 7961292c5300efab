// A server of revision 2026-07-28 with the extension io.modelcontextprotocol/tasks: every call of a tool
// becomes a task. Over stdio, or over HTTP when started with "http", which prints its port.
//   slow    works for two polls, then is done
//   asks    wants to know a name, then greets
//   endless works until it is cancelled
//   gone    forgets its task at once
// The method "cancelled" of its own tells which tasks were cancelled.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const prefix = 'io.modelcontextprotocol/';
const extension = `${prefix}tasks`;
const tasks = new Map();
const cancelled = [];
const names = ['slow', 'asks', 'endless', 'gone'];
const form = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Who is there?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
};

const failure = (code, message, data) => ({ error: { code, message, ...(data && { data }) } });
const complete = (members) => ({ result: { resultType: 'complete', ...members } });
const text = (words) => ({ content: [{ type: 'text', text: words }] });

function stateOf(task) {
  const at = '2026-07-28T10:30:00Z';
  const { id: taskId, status, statusMessage } = task;
  const state = { taskId, status, createdAt: at, lastUpdatedAt: at, ttlMs: 60_000 };
  return { ...state, pollIntervalMs: 250, ...(statusMessage && { statusMessage }) };
}

function create(name) {
  const task = { id: `task-${tasks.size + 1}`, name, polls: 0, status: 'working' };
  task.statusMessage = `${name} has begun`;
  if (name !== 'gone') {
    tasks.set(task.id, task);
  }
  return { result: { resultType: 'task', ...stateOf(task) } };
}

function poll(task) {
  task.polls += 1;
  if (task.name === 'slow' && task.polls === 2) {
    Object.assign(task, { status: 'completed', result: text('done slowly') });
  }
  if (task.name === 'asks' && task.result === undefined) {
    task.status = 'input_required';
    return complete({ ...stateOf(task), inputRequests: { who: form } });
  }
  return complete({ ...stateOf(task), ...(task.result && { result: task.result }) });
}

function update(task, { inputResponses }) {
  const { action, content } = inputResponses.who;
  const words = action === 'accept' ? `Hello, ${content.name}` : 'Nobody';
  Object.assign(task, { status: 'completed', result: text(words) });
  return complete({});
}

function cancel(task) {
  task.status = 'cancelled';
  cancelled.push(task.name);
  return complete({});
}

const taskMethods = { 'tasks/get': poll, 'tasks/update': update, 'tasks/cancel': cancel };

function answer({ method, params = {} }) {
  const { _meta: meta = {} } = params;
  const capabilities = meta[`${prefix}clientCapabilities`];
  if (meta[`${prefix}protocolVersion`] !== '2026-07-28') {
    return failure(-32602, 'Each request names its revision');
  }
  if (method === 'server/discover') {
    return complete({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, extensions: { [extension]: {} } },
    });
  }
  if (method === 'tools/list') {
    const inputSchema = { type: 'object' };
    return complete({
      tools: names.map((name) => ({ name, inputSchema })),
      ttlMs: 0,
      cacheScope: 'private',
    });
  }
  const isTaskMethod = Object.hasOwn(taskMethods, method);
  if (method !== 'tools/call' && !isTaskMethod) {
    return failure(-32601, `No method ${method}`);
  }
  if (capabilities?.extensions?.[extension] === undefined) {
    const requiredCapabilities = { extensions: { [extension]: {} } };
    return failure(-32021, `${method} needs ${extension}`, { requiredCapabilities });
  }
  if (method === 'tools/call') {
    return params.name === 'cancelled' ? complete(text(cancelled.join())) : create(params.name);
  }
  const task = tasks.get(params.taskId);
  return task === undefined
    ? failure(-32602, `No task ${params.taskId}`)
    : taskMethods[method](task, params);
}

function overStdio() {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.id !== undefined) {
      const reply = { jsonrpc: '2.0', id: message.id, ...answer(message) };
      process.stdout.write(`${JSON.stringify(reply)}\n`);
    }
  });
}

async function serve(request, response) {
  let body = '';
  for await (const chunk of request) {
    body += chunk;
  }
  const message = JSON.parse(body);
  if (message.id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const { taskId } = message.params;
  const isRouted = taskId === undefined || request.headers['mcp-name'] === taskId;
  const said = isRouted ? answer(message) : failure(-32020, 'Mcp-Name is not the task');
  response
    .writeHead(said.error === undefined ? 200 : 400, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...said }));
}

function overHttp() {
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
  process.stdin.on('end', () => process.exit()).resume();
}

if (process.argv[2] === 'http') {
  overHttp();
} else {
  overStdio();
}
