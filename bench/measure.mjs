// Runs one measurement with one client in this process and prints the numbers as JSON.
//   node measure.mjs <client bundle> <measurement> <stdio | json | sse | ws>[-2026] <scale>
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const [bundle, measurement, place, scaleText] = process.argv.slice(2);
const [wire, revision] = place.split('-');
const era = revision === undefined ? 'legacy' : 'modern';
const scale = Number(scaleText);
const stdioServer = fileURLToPath(new URL('servers/stdio.mjs', import.meta.url));
const httpServer = fileURLToPath(new URL('servers/http.mjs', import.meta.url));
const shellServer = fileURLToPath(new URL('servers/handshake.sh', import.meta.url));
const isStdio = wire === 'stdio';

const loadCpu = process.cpuUsage();
const loadStart = performance.now();
const library = createRequire(import.meta.url)(bundle);
const loadMs = performance.now() - loadStart;
const loadCpuMs = sum(process.cpuUsage(loadCpu)) / 1000;

const children = [];

async function startHttpServer() {
  const child = spawn(process.execPath, [httpServer], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const [port] = await once(child.stdout, 'data');
  return `${wire === 'ws' ? 'ws' : 'http'}://127.0.0.1:${Number(port)}/${wire}`;
}

const url = isStdio ? undefined : await startHttpServer();

function connect(variant) {
  if (!isStdio) {
    const open = wire === 'ws' ? library.connectWebSocket : library.connectHttp;
    return open(variant === undefined ? url : `${url}/${variant}`, era);
  }
  return library.connectStdio(process.execPath, [stdioServer, ...(variant ? [variant] : [])], era);
}

/** To a server that costs next to nothing to start. */
function connectLight(...notes) {
  return isStdio ? library.connectStdio('sh', [shellServer, ...notes], era) : connect();
}

function middle(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function sum({ user, system }) {
  return user + system;
}

/** Milliseconds and microseconds of CPU of this process that `run` takes. */
async function time(run) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const value = await run();
  const ms = performance.now() - start;
  return { value, ms, cpuUs: sum(process.cpuUsage(cpu)) };
}

const peakMb = () => process.resourceUsage().maxRSS / 1024;
const rssMb = () => process.memoryUsage.rss() / 1024 / 1024;

async function callMany(client, count, depth) {
  let started = 0;
  const worker = async () => {
    while (started < count) {
      started += 1;
      const result = await client.callTool('echo', { text: 'hello', number: started });
      if (result.content[0].text !== 'ok') {
        throw new Error('wrong result');
      }
    }
  };
  await Promise.all(Array.from({ length: depth }, worker));
}

async function perCall(client, count, depth) {
  await callMany(client, Math.ceil(count / 4), depth); // warm
  const { ms, cpuUs } = await time(() => callMany(client, count, depth));
  return { perS: (count / ms) * 1000, cpuUs: cpuUs / count };
}

async function bigResults(bytes, count) {
  const client = await connect();
  const call = async () => {
    const result = await client.callTool('big', { bytes });
    if (result.content[0].text.length !== bytes) {
      throw new Error('wrong length');
    }
  };
  await call(); // the server makes it now
  const { ms, cpuUs } = await time(async () => {
    for (let done = 0; done < count; done += 1) {
      await call();
    }
  });
  const mib = (bytes * count) / 1024 / 1024;
  const numbers = { mibPerS: (mib / ms) * 1000, cpuMs: cpuUs / 1000 / count, peakMb: peakMb() };
  await client.close();
  return numbers;
}

async function listing(variant) {
  const client = await connect(variant);
  const { ms, cpuUs, value } = await time(() => client.listTools());
  if (value.length !== 10_000) {
    throw new Error(`${value.length} tools`);
  }
  await client.close();
  return { ms, cpuMs: cpuUs / 1000, peakMb: peakMb() };
}

async function servers(count) {
  const before = rssMb();
  const { ms, cpuUs, value } = await time(() =>
    Promise.all(Array.from({ length: count }, () => connectLight())),
  );
  const numbers = { ms, cpuMs: cpuUs / 1000, rssMb: rssMb(), grownMb: rssMb() - before };
  await Promise.all(value.map((client) => client.close()));
  return numbers;
}

/** How often the server's process is started for one connection. */
async function startsOf() {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-host-bench-'));
  try {
    const notes = join(folder, 'starts');
    const client = await connectLight(notes);
    await client.close();
    return (await readFile(notes, 'utf8')).split('\n').length - 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const measurements = {
  async connect() {
    const first = await time(() => connect());
    await first.value.close();
    const times = [];
    const costs = [];
    for (let done = 0; done < Math.max(5, 30 * scale); done += 1) {
      const each = await time(() => connectLight());
      times.push(each.ms);
      costs.push(each.cpuUs / 1000);
      await each.value.close();
    }
    const starts = isStdio ? await startsOf() : undefined;
    return { firstMs: first.ms, warmMs: middle(times), cpuMs: middle(costs), starts };
  },
  async sequential() {
    const client = await connect();
    const numbers = await perCall(client, (isStdio ? 8_000 : 2_000) * scale, 1);
    await client.close();
    return numbers;
  },
  async deep() {
    const client = await connect();
    const numbers = await perCall(client, (isStdio ? 100_000 : 6_000) * scale, 64);
    await client.close();
    return { ...numbers, peakMb: peakMb() };
  },
  big1: () => bigResults(1024 * 1024, Math.ceil(40 * scale)),
  big10: () => bigResults(10 * 1024 * 1024, Math.ceil(8 * scale)),
  tools: () => listing('tools'),
  toolsWithOutput: () => listing('outputSchemas'),
  servers: () => servers(50),
  servers200: () => servers(200),
  async progress() {
    const count = 100_000;
    const client = await connect();
    let delivered = 0;
    const delay = monitorEventLoopDelay({ resolution: 1 });
    await client.callTool('echo', { notifications: 100 }, () => undefined); // warm
    delay.enable();
    const { ms, cpuUs } = await time(async () => {
      await client.callTool('echo', { notifications: count }, () => {
        delivered += 1;
      });
    });
    delay.disable();
    await client.close();
    const perS = (delivered / ms) * 1000;
    return { perS, cpuUs: cpuUs / count, delivered, blockMs: delay.max / 1e6, peakMb: peakMb() };
  },
  load: async () => ({ ms: loadMs, cpuMs: loadCpuMs, rssMb: rssMb() }),
};

try {
  process.stdout.write(JSON.stringify(await measurements[measurement]()));
} finally {
  for (const child of children) {
    child.kill();
  }
}
process.exit(0);
