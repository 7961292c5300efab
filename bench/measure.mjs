// Runs one measurement with one client in this process and prints the numbers as JSON.
//   node measure.mjs <client bundle> <measurement> <stdio | json | sse | ws>[-2026] <scale> [file]
// Into the file goes a profile of the part whose time is taken.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const [bundle, measurement, place, scaleText, profileFile] = process.argv.slice(2);
const [wire, revision] = place.split('-');
const era = revision === undefined ? 'legacy' : 'modern';
const scale = Number(scaleText);
const stdioServer = fileURLToPath(new URL('servers/stdio.mjs', import.meta.url));
const httpServer = fileURLToPath(new URL('servers/http.mjs', import.meta.url));
const shellServer = fileURLToPath(new URL('servers/handshake.sh', import.meta.url));
const isStdio = wire === 'stdio';
/** How often it is noted how long the event loop was blocked. */
const tickMs = 1;

const require = createRequire(import.meta.url);
const loading = await time(() => require(bundle), measurement === 'load');
const library = loading.value;

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

/** Milliseconds and microseconds of CPU of this process that `run` takes. `isMeant`: it is what a profile is of. */
async function time(run, isMeant = true) {
  const finish = profileFile !== undefined && isMeant ? await startProfile() : undefined;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const value = await run();
  const ms = performance.now() - start;
  const cpuUs = sum(process.cpuUsage(cpu));
  await finish?.();
  return { value, ms, cpuUs };
}

/** @returns what ends it, and writes the file; of several profiles the last one stays */
async function startProfile() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    await writeFile(profileFile, JSON.stringify(profile));
  };
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

/** How many notifications of `count` are handed over until the call has its result. */
async function deliveredOf(client, count) {
  let delivered = 0;
  await client.callTool('echo', { notifications: count }, () => {
    delivered += 1;
  });
  return delivered;
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
    const numbers = await perCall(client, (isStdio ? 20_000 : 3_000) * scale, 1);
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
    const beside = await deliveredOf(client, 100); // in one write with the result; and to warm up
    const delay = monitorEventLoopDelay({ resolution: tickMs });
    delay.enable();
    const { ms, cpuUs, value } = await time(() => deliveredOf(client, count));
    await pause(10 * tickMs); // what blocked last is noted with the next tick
    delay.disable();
    await client.close();
    const perS = (value / ms) * 1000;
    const blockMs = delay.max / 1e6 - tickMs;
    return { perS, cpuUs: cpuUs / count, delivered: value, beside, blockMs, peakMb: peakMb() };
  },
  load: async () => ({ ms: loading.ms, cpuMs: loading.cpuUs / 1000, rssMb: rssMb() }),
};

try {
  process.stdout.write(JSON.stringify(await measurements[measurement]()));
} finally {
  for (const child of children) {
    child.kill();
  }
}
process.exit(0);
