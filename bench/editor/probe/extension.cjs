// What is measured inside of the extension host: all times are milliseconds from the activation of this extension, which
// is the first. The file that MCP_HOST_BENCH names has the task, as JSON:
//   host     'builtIn', 'ours' or 'none'
//   servers  how many there are
//   live     file to which each server writes when a client has read its tools
//   out      file for the numbers
//   calls    whether calls are measured, after the window is up
//   idleMs   how long an idle window is watched; 0: not at all
const { readFileSync, writeFileSync, renameSync } = require('node:fs');
const { setTimeout: delay } = require('node:timers/promises');
const vscode = require('vscode');

const startedAt = Date.now();
const limitMs = 60_000;

exports.activate = () => {
  const { out, ...task } = JSON.parse(readFileSync(process.env.MCP_HOST_BENCH, 'utf8'));
  void tell(out, task);
};

async function tell(out, task) {
  const numbers = await measure(task).catch((error) => ({ error: String(error?.stack ?? error) }));
  writeFileSync(`${out}.part`, JSON.stringify(numbers));
  renameSync(`${out}.part`, out);
}

async function measure({ host, servers, live, calls, idleMs }) {
  const numbers = {};
  if (host !== 'none') {
    const starting = keepStarting(host);
    const first = firstCall(numbers);
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

async function firstCall(numbers) {
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
  return times.toSorted((a, b) => a - b)[count >> 1];
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
