/** The login shell that is asked for its PATH, with what its files start: what is left of them when nobody waits any more. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { localMachine, loginShell } from '../../src/host/launch/localMachine.ts';
import { reaper } from '../../src/mcp/transport/stdio/reaper.ts';
import { alive, pidsIn } from '../support/ownProcesses.ts';
import { itOnPosix } from '../support/platform.ts';
import { waitUntil } from '../support/waitUntil.ts';

const goneMs = 20_000;
const waitMs = 30_000;
const askShell = loginShell(() => reaper, '/bin/sh');
const hostToKill = fileURLToPath(new URL('../servers/shellHostToKill.mjs', import.meta.url));

// By the shell that every such system has: which files that of the user reads is the user's matter.
describe('the login shell', () => {
  const { HOME } = process.env;
  let home: string;
  let pidsFile: string;
  const hosts: ChildProcess[] = [];

  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'mcp-host-shell-'));
    pidsFile = path.join(home, 'pids');
    process.env['HOME'] = home;
  });

  afterEach(async () => {
    if (HOME !== undefined) {
      process.env['HOME'] = HOME;
    }
    hosts.splice(0).forEach((host) => host.kill('SIGKILL'));
    for (const pid of alive(writtenPids())) {
      process.kill(pid, 'SIGKILL');
    }
    await rm(home, { recursive: true });
  });

  const writtenPids = (): readonly number[] => pidsIn(pidsFile);

  /** A file that has the shell wait for a child of its own; both write down who they are. */
  async function letItHang(): Promise<void> {
    await writeFile(
      path.join(home, '.profile'),
      `echo $$ >> '${pidsFile}'\nsleep 1000 & echo $! >> '${pidsFile}'\nwait\n`,
    );
  }

  async function bothHang(): Promise<readonly number[]> {
    await waitUntil('the shell and its child', () => writtenPids().length === 2, waitMs);
    const pids = writtenPids();
    assert.deepEqual(alive(pids), pids);
    return pids;
  }

  itOnPosix('says what PATH its files make', async () => {
    await writeFile(path.join(home, '.profile'), 'PATH=$PATH:/from/profile\n');
    const machine = localMachine(askShell, waitMs);
    const found = await machine.programs.shellPath();
    assert.equal(found?.split(':').at(-1), '/from/profile');
  });

  itOnPosix('ends with what its files started once it has taken too long', async () => {
    await letItHang();
    const tooLate = new AbortController();
    const asked = askShell(tooLate.signal);
    const pids = await bothHang();
    tooLate.abort();
    await waitUntil('the end of both', () => alive(pids).length === 0, goneMs);
    assert.equal(await asked, undefined);
  });

  itOnPosix('ends with them when the host is killed', async () => {
    await letItHang();
    const host = spawn(process.execPath, [hostToKill], { stdio: ['ignore', 'pipe', 'inherit'] });
    hosts.push(host);
    await once(host.stdout, 'data');
    const pids = await bothHang();
    host.kill('SIGKILL');
    await waitUntil('the end of both', () => alive(pids).length === 0, goneMs);
  });

  itOnPosix('leaves alone what its files started when it answers in time', async () => {
    await writeFile(
      path.join(home, '.profile'),
      `sleep 1000 >/dev/null 2>&1 & echo $! >> '${pidsFile}'\n`,
    );
    const machine = localMachine(askShell, waitMs);
    assert.ok(await machine.programs.shellPath());
    assert.equal(alive(writtenPids()).length, 1);
  });
});
