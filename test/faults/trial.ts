/** One fault on one channel: a server that works, the fault during calls, and what becomes of calls and server. */
import { delay, settlesWithin } from '../../src/base/async.ts';
import type { ServerConnection } from '../../src/host/servers/connection.ts';
import type { McpHost } from '../../src/host/servers/host.ts';
import type { Session } from '../../src/mcp/session/session.ts';
import { isMcpError } from '../../src/mcp/errors.ts';
import { listAll } from '../../src/mcp/client/listing.ts';
import type { Revision } from '../../src/mcp/revisions.ts';
import { readProcessTable } from '../../src/mcp/transport/stdio/processTree.ts';
import type { TransportName } from '../servers/matrix/matrixHosts.ts';
import { orphanMs } from '../support/ownProcesses.ts';
import { openGate, realHost } from '../support/realHost.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { type Channel, hungMs, openChannel } from './faultyChannel.ts';
import { type Fault, isFlood } from './kinds.ts';
import { MemoryMeter, memoryProblems, type Taken } from './memory.ts';
import { unhandledRejections } from './rejections.ts';

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
  /** How many of them had none. */
  readonly hung: number;
  /** How the server was used again after the fault. */
  readonly recovery: string;
  /** Processes of the server that were left after all was closed. */
  readonly orphans: number;
  /** Unhandled ones while it ran. */
  readonly rejections: number;
  /** Of a flood. */
  readonly memory?: Taken;
  /** What may not be: a call without end, a wrong answer, a server that does not stop. */
  readonly defects: readonly string[];
}

/** Short, since most faults end with one of them; but for the start, which a busy machine makes long. */
const timeouts = { startMs: 45_000, requestMs: 1_200, totalMs: 4_000 };
const recoveryMs = 90_000;
/** Calls that are under way when the fault begins; the first is for a list, which is repeated in a new session. */
const callsAtOnce = 3;
/** A flood lasts at least that long. */
const floodMs = 1_500;
const never = new AbortController().signal;

/** `ask` resolves with whether the answer is right. */
async function outcomeOf(
  connection: ServerConnection,
  ask: (session: Session, signal: AbortSignal) => Promise<boolean>,
): Promise<string> {
  try {
    return (await connection.withSession(ask, never)) ? 'result' : 'wrong result';
  } catch (error) {
    return isMcpError(error) ? error.code : `not an McpError: ${String(error)}`;
  }
}

function call(connection: ServerConnection, value: string): Promise<string> {
  return outcomeOf(connection, async (session, signal) => {
    const params = { name: 'echo', arguments: { value } };
    const { content } = await session.call('tools/call', params, { signal });
    const [first] = content;
    return first?.type === 'text' && first.text === value;
  });
}

function list(connection: ServerConnection): Promise<string> {
  return outcomeOf(connection, async (session, signal) => {
    const { items } = await listAll(session, 'tools', { signal, isFresh: true });
    return items.some(({ name }) => name === 'echo');
  });
}

/** Calls until one succeeds. A server that was given up is started by hand, as the user would. */
async function callAgain(connection: ServerConnection): Promise<string> {
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
  const rejectionsBefore = unhandledRejections();
  const meter = isFlood(trial.fault) ? new MemoryMeter() : undefined;
  const channel = await openChannel(trial.transport, trial.revision, trial.fault);
  const host = realHost({ gate: openGate(() => channel.launch) });
  let seen;
  try {
    seen = await breakChannel(trial, channel, host);
  } catch (error) {
    await channel.close();
    throw error;
  } finally {
    await host.close(hungMs);
  }
  const orphans = await countOrphans(channel);
  await channel.close();
  const memory = await meter?.stop();
  const rejections = unhandledRejections() - rejectionsBefore;
  const defects = [
    ...seen.defects,
    ...(orphans > 0 ? [`${orphans} processes are left`] : []),
    ...(rejections > 0 ? [`${rejections} unhandled rejections`] : []),
    ...(memory === undefined ? [] : memoryProblems(memory)),
  ];
  return { ...trial, ...seen, orphans, rejections, ...(memory && { memory }), defects };
}

/** A status that says nothing of the session, nor whether there is a server: it fails calls, and nothing else. */
function isOfOneRequest({ transport, revision, fault }: Trial): boolean {
  const [, status] = /^status (\d+)$/u.exec(fault) ?? [];
  switch (transport) {
    case 'HTTP+SSE':
      return status !== undefined;
    case 'Streamable HTTP': {
      const telling = revision === '2026-07-28' ? ['400', '404', '405', '410'] : ['404'];
      return status !== undefined && !telling.includes(status);
    }
    case 'stdio':
    case 'WebSocket':
      return false;
  }
}

async function countOrphans(channel: Channel): Promise<number> {
  const left = (): number => channel.pids().filter(isRunning).length;
  await waitUntil('the end of the server', () => left() === 0, orphanMs).catch(() => undefined);
  return left();
}

function isRunning(pid: number): boolean {
  return readProcessTable().some((one) => one.pid === pid && !one.isZombie);
}

type Seen = Pick<TrialResult, 'calls' | 'hung' | 'settledMs' | 'recovery' | 'defects'>;

async function breakChannel(trial: Trial, channel: Channel, host: McpHost): Promise<Seen> {
  const defects: string[] = [];
  const { revision: protocol, transport } = trial;
  // A flood in place of the event stream lasts until the start is given up.
  const startMs = isFlood(trial.fault) && transport === 'HTTP+SSE' ? 10_000 : timeouts.startMs;
  host.reconcile({
    servers: [
      stdioServer('one', { startup: 'auto', timeouts: { ...timeouts, startMs }, protocol }),
    ],
    inputs: new Map(),
    problems: [],
  });
  const connection = host.servers.get('user/one');
  if (connection === undefined) {
    throw new Error('There is no server');
  }
  await waitUntil('the server to be ready', () => connection.state.kind === 'ready', hungMs);
  // Not only once: the limits are short for a busy machine.
  if ((await callAgain(connection)) === 'never') {
    defects.push('cannot be used before the fault');
  }
  let hasLeft = false;
  const watching = connection.onDidChangeState(({ kind }) => {
    hasLeft ||= kind !== 'ready';
  });
  await channel.setFault(trial.fault);
  const startedAt = performance.now();
  const outcomes: string[] = [];
  const calls = Promise.all(
    Array.from({ length: callsAtOnce }, async (_, n) =>
      outcomes.push(await (n === 0 ? list(connection) : call(connection, `call ${n}`))),
    ),
  );
  await settlesWithin(calls, hungMs);
  const settledMs = performance.now() - startedAt;
  await channel.whenMet();
  while (isFlood(trial.fault) && performance.now() - startedAt < floodMs) {
    await settlesWithin(call(connection, 'meanwhile'), floodMs); // it waits for a restart
    await delay(50); // a server that is gone fails calls at once
  }
  const hung = callsAtOnce - outcomes.length;
  if (hung > 0) {
    defects.push(`${hung} calls hang`);
  }
  // Bytes that are changed within a text change the text, and nobody can tell.
  const odd = outcomes.filter((outcome) => outcome.startsWith('not') || outcome === 'wrong result');
  if (odd.length > 0 && trial.fault !== 'corrupt') {
    defects.push(odd.join(', '));
  }
  watching.dispose();
  if (hasLeft && isOfOneRequest(trial)) {
    defects.push('ends the connection');
  }
  await channel.setFault(undefined);
  const recovery = await callAgain(connection);
  if (recovery === 'never') {
    defects.push('not to be used again');
  }
  if (!(await settlesWithin(host.stopAll(), hungMs))) {
    defects.push('does not stop');
  }
  return { calls: outcomes.toSorted(), hung, settledMs, recovery, defects };
}
