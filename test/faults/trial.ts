/** One fault on one channel: a server that works, the fault during calls, and what becomes of calls and server. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { delay, settlesWithin } from '../../src/base/async.ts';
import { featuresFor } from '../../src/host/asks/features.ts';
import type { ResolvedLaunch } from '../../src/host/ports.ts';
import { WorkspaceRoots } from '../../src/host/roots.ts';
import { systemClock } from '../../src/host/servers/clock.ts';
import type { ServerConnection } from '../../src/host/servers/connection.ts';
import { McpHost } from '../../src/host/servers/host.ts';
import { isMcpError } from '../../src/mcp/errors.ts';
import type { Revision } from '../../src/mcp/revisions.ts';
import { createConnector } from '../../src/protocol.ts';
import { startHost, type TransportName } from '../servers/matrix/matrixHosts.ts';
import { FakeLogs } from '../support/fakeLogs.ts';
import { FakeWorkspace } from '../support/fakeWorkspace.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { FaultyLink } from './faultyLink.ts';
import type { Fault } from './kinds.ts';

export interface Trial {
  readonly transport: TransportName;
  readonly revision: Revision;
  readonly fault: Fault;
}

export interface TrialResult extends Trial {
  /** What became of the calls during the fault: each a result or an error code. */
  readonly calls: readonly string[];
  /** Milliseconds until the last of them had an end. */
  readonly settledMs: number;
  /** How the server was used again after the fault. */
  readonly recovery: string;
  /** What may not be: a call without end, a wrong answer, a server that does not stop. */
  readonly defects: readonly string[];
}

/** Short, since most faults end with one of them; but for the start, which a busy machine makes long. */
const timeouts = { startMs: 45_000, requestMs: 1_200, totalMs: 4_000 };
/** After all limits of time, on a busy machine. */
const hungMs = 60_000;
const recoveryMs = 90_000;
const never = new AbortController().signal;

interface Channel {
  readonly launch: ResolvedLaunch;
  /** Resolves when the fault has begun, or is over. */
  setFault(fault: Fault | undefined): Promise<void>;
  close(): Promise<void>;
}

async function openChannel({ transport, revision }: Trial): Promise<Channel> {
  const server = await startHost(transport, revision);
  const { launch } = server;
  if (launch.kind === 'stdio') {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-faults-'));
    const control = join(folder, 'fault');
    const seen = `${control}.seen`;
    writeFileSync(control, '');
    const wrapper = fileURLToPath(new URL('faultyPipe.ts', import.meta.url));
    const env = Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    return {
      launch: { ...launch, args: [wrapper, control, launch.command, ...launch.args], env },
      setFault: async (fault) => {
        writeFileSync(control, fault ?? '');
        // When it is over, there may be no process to see it.
        if (fault !== undefined) {
          await waitUntil(
            'the fault to begin',
            () => existsSync(seen) && readFileSync(seen, 'utf8') === fault,
            hungMs,
          );
        }
      },
      close: async () => {
        await server.close();
        await rm(folder, { recursive: true });
      },
    };
  }
  const url = new URL(launch.url);
  const link = await FaultyLink.open(Number(url.port));
  url.port = String(link.port);
  return {
    launch: { ...launch, url: url.href },
    setFault: async (fault) => {
      link.fault = fault;
    },
    close: async () => {
      await link.close();
      await server.close();
    },
  };
}

function createHost(launch: ResolvedLaunch): McpHost {
  const workspace = new FakeWorkspace([]);
  const roots = new WorkspaceRoots(workspace);
  const connector = createConnector({ name: 'faults', version: '1.0.0' });
  const logs = new FakeLogs();
  return new McpHost({
    workspace,
    roots,
    features: (asked) => featuresFor(asked, { roots }),
    gate: { readiness: async () => 'ready', prepare: async () => ({ launch, secrets: [] }) },
    connector: () => connector,
    logs,
    log: logs.hostLog,
    clock: systemClock,
  });
}

async function call(connection: ServerConnection, value: string): Promise<string> {
  try {
    const result = await connection.withSession(
      (session, signal) =>
        session.call('tools/call', { name: 'echo', arguments: { value } }, { signal }),
      never,
    );
    const [first] = result.content;
    return first?.type === 'text' && first.text === value ? 'result' : 'wrong result';
  } catch (error) {
    return isMcpError(error) ? error.code : `not an McpError: ${String(error)}`;
  }
}

/** Calls until one succeeds. A server that was given up is started by hand, as the user would. */
async function recover(connection: ServerConnection): Promise<string> {
  const startedAt = performance.now();
  let how = 'by itself';
  while (performance.now() - startedAt < recoveryMs) {
    if (connection.state.kind === 'failed') {
      how = 'after a start by hand';
      await connection.start().catch(() => undefined);
    }
    const outcome = call(connection, 'again');
    if ((await settlesWithin(outcome, hungMs)) && (await outcome) === 'result') {
      return how;
    }
    await delay(100);
  }
  return 'never';
}

export async function runTrial(trial: Trial): Promise<TrialResult> {
  const channel = await openChannel(trial);
  const host = createHost(channel.launch);
  const defects: string[] = [];
  try {
    const { revision: protocol } = trial;
    host.reconcile({
      servers: [stdioServer('one', { startup: 'auto', timeouts, protocol })],
      inputs: new Map(),
      problems: [],
    });
    const connection = host.servers.get('user/one');
    if (connection === undefined) {
      throw new Error('There is no server');
    }
    await waitUntil('the server to be ready', () => connection.state.kind === 'ready', hungMs);
    const calm = await call(connection, 'calm');
    if (calm !== 'result') {
      defects.push(`the calm call: ${calm}`);
    }
    await channel.setFault(trial.fault);
    const startedAt = performance.now();
    const outcomes: string[] = [];
    const calls = Promise.all(
      [1, 2, 3].map(async (n) => outcomes.push(await call(connection, `call ${n}`))),
    );
    if (!(await settlesWithin(calls, hungMs))) {
      defects.push(`${3 - outcomes.length} calls hang`);
    }
    const settledMs = performance.now() - startedAt;
    // Bytes that are changed within a text change the text, and nobody can tell.
    const odd = outcomes.filter(
      (outcome) => outcome.startsWith('not') || outcome === 'wrong result',
    );
    if (odd.length > 0 && trial.fault !== 'corrupt') {
      defects.push(odd.join(', '));
    }
    await channel.setFault(undefined);
    const recovery = await recover(connection);
    if (recovery === 'never') {
      defects.push('not to be used again');
    }
    if (!(await settlesWithin(host.stopAll(), hungMs))) {
      defects.push('does not stop');
    }
    return { ...trial, calls: outcomes.toSorted(), settledMs, recovery, defects };
  } finally {
    await host.close(hungMs);
    await channel.close();
  }
}
