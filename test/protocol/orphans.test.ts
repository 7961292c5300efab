/** What is left of servers, and of processes of our own, when the one that started them is killed: nothing. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readProcessTable } from '../../src/mcp/transport/stdio/processTree.ts';
import { StdioTransport } from '../../src/mcp/transport/stdio/stdio.ts';
import type { Transport } from '../../src/mcp/transport/transport.ts';
import { alive, pidsIn } from '../support/ownProcesses.ts';
import { itOnPosix } from '../support/platform.ts';
import { waitUntil } from '../support/waitUntil.ts';

const programOf = (name: string): string =>
  fileURLToPath(new URL(`../servers/${name}`, import.meta.url));
/** What is promised for the end of every process of a server whose host was killed. */
const promisedMs = 10_000;

function childrenOf(parent: number): readonly number[] {
  return readProcessTable()
    .filter(({ parentPid, isZombie }) => parentPid === parent && !isZombie)
    .map(({ pid }) => pid);
}

/** The child of the host that is none of the servers. */
function reaperOf(host: ChildProcess, pids: readonly number[]): number {
  const others = childrenOf(host.pid ?? 0).filter((pid) => !pids.includes(pid));
  assert.equal(others.length, 1, 'one reaper for all servers');
  return others[0] ?? 0;
}

describe('orphans', () => {
  let folder: string;
  let pidsFile: string;
  let endedFile: string;
  const hosts: ChildProcess[] = [];
  const transports: Transport[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-host-'));
    pidsFile = join(folder, 'pids');
    endedFile = join(folder, 'ended');
  });

  afterEach(async () => {
    hosts.splice(0).forEach((host) => host.kill('SIGKILL'));
    await Promise.all(transports.splice(0).map((transport) => transport.close()));
    await rm(folder, { recursive: true });
  });

  function run(name: string, ...args: readonly string[]) {
    const host = spawn(process.execPath, [programOf(name), ...args], {
      env: { ...process.env, PIDS: pidsFile, ENDED: endedFile },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    hosts.push(host);
    return host;
  }

  /** A host whose servers have written `count` ids: itself, and they. */
  async function startHost(
    count: number,
    ...servers: readonly string[]
  ): Promise<{ readonly host: ChildProcess; readonly pids: readonly number[] }> {
    const host = run('stdioHostToKill.mjs', ...servers.map(programOf));
    await once(host.stdout, 'data');
    await waitUntil('all processes', () => writtenPids().length === count, 20_000);
    return { host, pids: writtenPids() };
  }

  async function startServer(): Promise<Transport> {
    const transport = new StdioTransport({
      command: process.execPath,
      args: [programOf('endsInOrder.mjs')],
      env: { ...process.env, PIDS: pidsFile, ENDED: endedFile },
    });
    transports.push(transport);
    await transport.start(new AbortController().signal);
    return transport;
  }

  const writtenPids = (): readonly number[] => pidsIn(pidsFile);

  it('STDIO-07: a host that is killed leaves no server behind that ignores the end of input and SIGTERM, nor its child', async () => {
    const { host, pids } = await startHost(4, 'unwilling.mjs', 'unwilling.mjs');
    const reaper = reaperOf(host, pids);
    assert.deepEqual(alive(pids), pids);
    const killedAt = performance.now();
    host.kill('SIGKILL');
    await waitUntil('the end of all', () => alive(pids).length === 0, 2 * promisedMs);
    assert.ok(performance.now() - killedAt < promisedMs, 'later than promised');
    await waitUntil('the end of the reaper', () => alive([reaper]).length === 0, promisedMs);
  });

  itOnPosix('STDIO-07: nor one that it was just starting', async () => {
    const host = run('stdioHostThatDies.mjs', programOf('unwilling.mjs'));
    const printed = await text(host.stdout);
    const children = printed.split('\n').filter(Boolean).map(Number);
    assert.equal(children.length, 2, 'the server and the reaper');
    await waitUntil('the end of both', () => alive(children).length === 0, 2 * promisedMs);
    assert.deepEqual(alive(writtenPids()), []);
  });

  it('one reaper serves for all servers, is replaced when it was killed, and ends with the last of them', async () => {
    const before = childrenOf(process.pid);
    const ownReaper = (): number | undefined =>
      childrenOf(process.pid).find((pid) => !before.includes(pid) && !writtenPids().includes(pid));
    const [first, second] = [await startServer(), await startServer()];
    await waitUntil('both servers', () => writtenPids().length === 2, 20_000);
    const reaper = ownReaper() ?? 0;
    assert.equal(childrenOf(process.pid).length, before.length + 3);
    process.kill(reaper, 'SIGKILL');
    const isReplaced = (): boolean => ![undefined, reaper].includes(ownReaper());
    await waitUntil('another reaper', isReplaced, 20_000);
    const third = await startServer();
    await waitUntil('three servers', () => writtenPids().length === 3, 20_000);
    await Promise.all([first.close(), second.close()]);
    assert.notEqual(ownReaper(), undefined);
    await third.close();
    await waitUntil('no child', () => childrenOf(process.pid).length === before.length, 20_000);
  });

  /** A host with a process that checks schemas, and the id of that. */
  async function startSchemaHost(
    ...args: readonly string[]
  ): Promise<{ readonly host: ChildProcess; readonly pid: number }> {
    const host = run('schemaHostToKill.mjs', ...args);
    const [printed] = await once(host.stdout, 'data');
    return { host, pid: Number(String(printed)) };
  }

  it('a process in the middle of a check that its host was killed in ends, even if it can notice nothing', async () => {
    const { host, pid } = await startSchemaHost('busy');
    process.kill(pid, 'SIGSTOP');
    assert.deepEqual(alive([pid]), [pid]);
    host.kill('SIGKILL');
    await waitUntil('its end', () => alive([pid]).length === 0, 2 * promisedMs);
  });

  it('a process that waits for the next check ends with its host, and keeps it from no end', async () => {
    const killed = await startSchemaHost('idle');
    killed.host.kill('SIGKILL');
    await waitUntil('its end', () => alive([killed.pid]).length === 0, promisedMs);
    const { host, pid } = await startSchemaHost('idle', 'ends');
    await waitUntil('the end of both', () => alive([pid]).length === 0, 2 * promisedMs);
    await waitUntil('the end of the host', () => host.exitCode === 0, promisedMs);
  });

  it('STDIO-07: a server that ends with its input may do so in good order when its host is killed', async () => {
    const { host, pids } = await startHost(1, 'endsInOrder.mjs');
    host.kill('SIGKILL');
    await waitUntil('the end', () => alive(pids).length === 0, promisedMs);
    assert.equal(readFileSync(endedFile, 'utf8'), 'in order\n');
  });
});
