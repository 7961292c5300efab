// What is measured inside of the extension host: all times are milliseconds from the activation of this extension, which
// is the first. The file that MCP_HOST_BENCH names has the task, as JSON:
//   host       'builtIn', 'ours' or 'none'
//   servers    how many there are
//   live       file to which each server writes when a client has read its tools
//   out        file for the numbers
//   firstCall  whether a tool is called as soon as there is one
//   calls      whether calls are measured, after the window is up
//   asks       whether a message to @mcp is measured, after the window is up
//   idleMs     how long an idle window is watched; 0: not at all
const { readFileSync, writeFileSync, renameSync } = require('node:fs');
const { setTimeout: delay } = require('node:timers/promises');
const vscode = require('vscode');

const startedAt = Date.now();
const limitMs = 60_000;
const vendor = 'mcp-host-bench';

/** Called when the model of this extension gets a request. */
let onRequest = () => undefined;

exports.activate = () => {
  vscode.lm.registerLanguageModelChatProvider(vendor, model);
  vscode.chat.createChatParticipant('mcp-host-bench.bench', answerAtOnce);
  const { out, ...task } = JSON.parse(readFileSync(process.env.MCP_HOST_BENCH, 'utf8'));
  void tell(out, task);
};

async function tell(out, task) {
  const numbers = await measure(task).catch((error) => ({ error: String(error?.stack ?? error) }));
  writeFileSync(`${out}.part`, JSON.stringify(numbers));
  renameSync(`${out}.part`, out);
}

async function measure({ host, servers, live, firstCall, calls, asks, idleMs = 0 }) {
  const numbers = {};
  if (host !== 'none') {
    const starting = keepStarting(host);
    const first = firstCall ? callFirst(numbers) : undefined;
    numbers.liveMs = await until('all servers live', () => {
      const times = linesOf(live);
      return times.length >= servers && Math.max(...times) - startedAt;
    });
    numbers.toolsMs = await until(
      'the tools of all servers',
      () => toolNames().length >= servers && Date.now() - startedAt,
    );
    await first;
    starting.abort();
  } else {
    await delay(3_000);
  }
  await delay(2_000);
  if (calls) Object.assign(numbers, await measureCalls(host));
  if (asks) numbers.askedMs = await addedByParticipant();
  globalThis.gc?.();
  numbers.rssMib = process.memoryUsage().rss / 2 ** 20;
  if (idleMs > 0) {
    const before = process.cpuUsage();
    await delay(idleMs);
    const { user, system } = process.cpuUsage(before);
    numbers.idleCpuMs = (user + system) / 1_000;
  }
  return numbers;
}

/** Both hosts are told to start, again and again: the editor ignores it for what it has not read yet. */
function keepStarting(host) {
  const end = new AbortController();
  const run = async () => {
    while (!end.signal.aborted) {
      await vscode.commands
        .executeCommand('workbench.mcp.startServer', '*')
        .then(undefined, () => 0);
      await delay(100);
    }
  };
  if (host === 'builtIn') void run();
  return end;
}

async function callFirst(numbers) {
  const [name] = await until('a first tool', () => {
    const names = toolNames();
    return names.length > 0 && names;
  });
  await call(name, 'first');
  numbers.firstCallMs = Date.now() - startedAt;
}

async function measureCalls(host) {
  const [name] = toolNames();
  const bridged = (word) => call(name, word);
  const numbers = await measureVia('bridge', bridged);
  const bigName = vscode.lm.tools.find((tool) => /^mcp_bench\d+_big$/.test(tool.name)).name;
  numbers.bigMs = await medianOf(7, () => call(bigName, ''));
  let opened = 0;
  numbers.openMs = await medianOf(20, () =>
    vscode.workspace.openTextDocument(resourceUri(host, `bench://bench0/text${(opened += 1)}`)),
  );
  if (host === 'ours') {
    const api = await vscode.extensions
      .getExtension('mcp-host.mcp-host')
      .exports.getAPI(1, { id: 'mcp-host-bench.bench-probe' });
    const [server] = await api.listServers();
    const direct = (word) => api.callTool(server.id, 'echo', { word });
    Object.assign(numbers, await measureVia('api', direct));
  }
  return numbers;
}

/** What @mcp adds to the way of a message, from a chat that is open to the request that the model gets. */
async function addedByParticipant() {
  await vscode.commands.executeCommand('workbench.action.chat.open');
  await vscode.lm.selectChatModels({ vendor });
  await delay(3_000);
  const times = { bench: [], mcp: [] };
  for (let count = 0; count < 5; count++) {
    for (const participant of ['bench', 'mcp']) {
      times[participant].push(await askInChat(`@${participant} Say hello.`));
      await delay(1_000);
    }
  }
  return median(times.mcp) - median(times.bench);
}

async function askInChat(query) {
  const requested = new Promise((resolve) => {
    onRequest = () => resolve(performance.now());
  });
  const start = performance.now();
  const modelSelector = { vendor, id: 'bench' };
  await vscode.commands.executeCommand('workbench.action.chat.open', { query, modelSelector });
  return (await requested) - start;
}

async function answerAtOnce(request, _context, response, token) {
  const { LanguageModelChatMessage } = vscode;
  const messages = [LanguageModelChatMessage.User(request.prompt)];
  const { text } = await request.model.sendRequest(messages, {}, token);
  for await (const part of text) response.markdown(part);
}

const model = {
  provideLanguageModelChatInformation: () => [
    {
      id: 'bench',
      name: 'Bench',
      family: 'bench',
      version: '1',
      maxInputTokens: 100_000,
      maxOutputTokens: 10_000,
      capabilities: { toolCalling: true, imageInput: false },
      isDefault: true,
      isUserSelectable: true,
    },
  ],
  provideLanguageModelChatResponse: async (_model, _messages, _options, progress) => {
    onRequest();
    progress.report(new vscode.LanguageModelTextPart('Hello.'));
  },
  provideTokenCount: async (_model, text) => String(text).length,
};

function hex(text) {
  return Buffer.from(text).toString('hex');
}

/** As each host makes it of a server's name and the resource's URI. */
function resourceUri(host, uri) {
  if (host === 'ours') {
    const path = `/${uri.replaceAll('/', '\u2215')}/text`;
    return vscode.Uri.from({ scheme: 'mcphost', authority: hex('user/bench0'), path });
  }
  const { scheme, authority, path } = vscode.Uri.parse(uri);
  return vscode.Uri.from({
    scheme: 'mcp-resource',
    authority: hex('mcp.config.usrremote.bench0'),
    path: `/${scheme}/${authority}${path}`,
  });
}

async function measureVia(way, run) {
  for (let count = 0; count < 50; count++) await run('warm');
  const oneMs = await medianOf(200, () => run('one'));
  const total = 1_600;
  let left = total;
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) await run('many');
    }),
  );
  const perS = (total / (performance.now() - begin)) * 1_000;
  return { [`${way}Ms`]: oneMs, [`${way}PerS`]: perS };
}

async function medianOf(count, run) {
  const times = [];
  for (let index = 0; index < count; index++) {
    const begin = performance.now();
    await run();
    times.push(performance.now() - begin);
  }
  return median(times);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function toolNames() {
  return vscode.lm.tools.map(({ name }) => name).filter((name) => /^mcp_bench\d+_echo$/.test(name));
}

function call(name, word) {
  return vscode.lm.invokeTool(name, { input: { word }, toolInvocationToken: undefined });
}

function linesOf(file) {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => Number(line.split(' ')[1]));
  } catch {
    return [];
  }
}

async function until(what, look) {
  const end = Date.now() + limitMs;
  for (;;) {
    const seen = look();
    if (seen !== false) return seen;
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
    await delay(2);
  }
}
