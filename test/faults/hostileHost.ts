// A real host with the servers of its arguments, one that does nothing wrong beside them, and an inspector of each. Uses
// them for a while, stops all and prints what became of them, as JSON.
import type { ResolvedLaunch } from '../../src/host/launch/launchGate.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { delay, settlesWithin } from '../../src/base/async.ts';
import { createLog, Redactor } from '../../src/base/log.ts';
import { featuresFor } from '../../src/host/servers/features.ts';
import { listKinds } from '../../src/host/catalog/catalog.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import { MessageRecorder } from '../../src/host/inspector/messageRecorder.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import type { ServerConnection } from '../../src/host/servers/connection.ts';
import { ServerMemory } from '../../src/host/servers/serverMemory.ts';
import { KeptRuns } from '../../src/vscode/text/keptRuns.ts';
import { FakeWorkspace } from '../support/fakeWorkspace.ts';
import { openGate, realHost } from '../support/realHost.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { refusal, refusedLoads } from './hostileLoads.ts';

/** All servers are used for as long at least, and until each was refused something, or stopped; not for longer than the most. */
const leastMs = 8_000;
const mostMs = 150_000;
/** Two results fit into a server's account. The more there are beside, the sooner the server is stopped. */
const callsAtOnce = process.argv[2] === 'stopped' ? 8 : 3;
const never = new AbortController().signal;
const script = fileURLToPath(new URL('hostileServer.ts', import.meta.url));
const [, , until, ...loads] = process.argv;

const http = spawn(process.execPath, [script, 'http'], { stdio: ['pipe', 'pipe', 'inherit'] });
const [port]: unknown[] = await once(http.stdout, 'data');

/** By the name of a server: its lines that tell of limits. */
const logged = new Map<string, Set<string>>();
const roots = new WorkspaceRoots(new FakeWorkspace([]));
const memory = new ServerMemory();
const keptMemory = memory.open();
const kept = new KeptRuns(keptMemory);
const unanswered = new Promise<never>(() => undefined);

function launchOf({ name }: ServerConfig): ResolvedLaunch {
  const [load = ''] = name.split(' ');
  return load.startsWith('http:')
    ? { kind: 'http', url: `http://127.0.0.1:${Number(port)}/${load.slice(5)}`, headers: {} }
    : { kind: 'stdio', command: process.execPath, args: [script, load], env: {}, cwd: '/' };
}

const host = realHost({
  features: (server) => ({ ...featuresFor(server, { roots }), elicit: () => unanswered }),
  gate: openGate(launchOf),
  logs: {
    open: ({ name }) => {
      const lines = logged.get(name) ?? new Set();
      logged.set(name, lines);
      const keep = (_severity: string, line: string): void => {
        const [found] =
          /(?:would take more|has more than|holds more than|is larger than).*/u.exec(line) ?? [];
        if (found !== undefined && lines.size < 20) {
          lines.add(found.slice(0, 200));
        }
      };
      return { log: createLog(keep, new Redactor()), redactor: new Redactor() };
    },
    close: () => undefined,
  },
  serverMemory: memory,
});

const patient = { startMs: 60_000, requestMs: 60_000, totalMs: 120_000 };
const impatient = { ...patient, requestMs: 15_000 };
const entry = (name: string): ServerConfig =>
  stdioServer(name, {
    startup: 'auto',
    timeouts: name === 'innocent' ? patient : impatient,
    protocol: name.startsWith('cache') ? '2026-07-28' : '2025-06-18',
  });
host.reconcile({
  servers: [entry('innocent'), ...loads.map((load, n) => entry(`${load} ${n}`))],
  inputs: new Map(),
  problems: [],
});

let heap = 0;
const metering = setInterval(() => {
  heap = Math.max(heap, process.memoryUsage().heapUsed);
}, 50);
const inspected = memory.open();
let startedAt = Infinity;
const isOver = (): boolean => {
  const ms = performance.now() - startedAt;
  return ms > mostMs || (ms > leastMs && connections.every(isRefused));
};
const counts = { asked: 0, answered: 0 };

/** A server that was stopped is left alone. */
async function use(connection: ServerConnection): Promise<void> {
  const [load = ''] = connection.config.name.split(' ');
  for (let n = 0; !isOver() && connection.state.kind !== 'failed'; n += 1) {
    if (load === 'cache') {
      await read(connection, `a:${n}`);
    } else if (load.endsWith('results') || load === 'http:replies') {
      await Promise.all(Array.from({ length: callsAtOnce }, () => call(connection)));
    }
    await delay(50);
  }
}

async function read(connection: ServerConnection, uri: string): Promise<void> {
  const reading = connection.withSession(
    (session, signal) => session.call('resources/read', { uri }, { signal }),
    never,
  );
  await reading.catch(() => undefined);
}

async function call(connection: ServerConnection): Promise<boolean> {
  try {
    const { content } = await connection.withSession(
      (session, signal) => session.call('tools/call', { name: 'x', arguments: {} }, { signal }),
      never,
    );
    kept.add(content.map((one, n) => ({ name: `${n}`, bytes: Buffer.from(JSON.stringify(one)) })));
    return true;
  } catch (error) {
    logged.get(connection.config.name)?.add(String(error).slice(0, 300));
    return false;
  }
}

async function useInnocent(connection: ServerConnection): Promise<void> {
  while (!isOver()) {
    counts.asked += 1;
    counts.answered += (await call(connection)) ? 1 : 0;
    await delay(200);
  }
}

const connections = [...host.servers.values()];
for (const connection of connections) {
  connection.tap.observer = new MessageRecorder(new Redactor(), () => undefined, inspected);
}
function isRefused(connection: ServerConnection): boolean {
  const [load = ''] = connection.config.name.split(' ');
  if (until === 'stopped' && load !== 'innocent') {
    return connection.state.kind === 'failed';
  }
  return !refusedLoads.has(load) || refusal.test(saidOf(connection));
}
await Promise.all(connections.map((connection) => connection.start().catch(() => undefined)));
startedAt = performance.now();
await Promise.all(
  connections.map((connection) =>
    connection.config.name === 'innocent' ? useInnocent(connection) : use(connection),
  ),
);

/** All that a person can see of it. */
function saidOf({ config, state, catalog }: ServerConnection): string {
  const lists = listKinds.map((kind) => {
    const list = catalog.list(kind);
    return list.kind === 'ready'
      ? `${list.truncated ?? ''} ${list.staleBecause?.message ?? ''}`
      : '';
  });
  const error = state.kind === 'failed' ? state.error.message : '';
  return [state.kind, error, ...lists, ...(logged.get(config.name) ?? [])].join('\n');
}
const said = Object.fromEntries(
  connections.map((connection) => [connection.config.name, saidOf(connection)]),
);
await settlesWithin(host.stopAll(), 20_000);
clearInterval(metering);
keptMemory.dispose();
inspected.dispose();
http.stdin.end();
await once(http, 'exit');
host.dispose();
process.stdout.write(
  JSON.stringify({ heap: Math.round(heap / 2 ** 20), ...counts, left: memory.used, said }),
);
