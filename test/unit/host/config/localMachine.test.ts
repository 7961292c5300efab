import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import {
  localMachine,
  loginShell,
  shellLimitMs,
} from '../../../../src/host/config/localMachine.ts';
import { findProgram } from '../../../../src/host/config/programSearch.ts';
import { readProcessTable } from '../../../../src/mcp/transport/processTree.ts';
import { itOnPosix } from '../../../support/platform.ts';
import { programsAt } from '../../../support/programs.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

async function atHome(home: string, run: () => Promise<void>): Promise<void> {
  const { HOME } = process.env;
  process.env['HOME'] = home;
  try {
    await run();
  } finally {
    if (HOME !== undefined) {
      process.env['HOME'] = HOME;
    }
  }
}

function isAlive(pid: number): boolean {
  return readProcessTable().some((one) => one.pid === pid && !one.isZombie);
}

describe('localMachine', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'programs-'));
    await writeFile(path.join(folder, 'notes.txt'), 'no program');
    await writeFile(path.join(folder, 'tool'), '#!/bin/sh\n');
    await chmod(path.join(folder, 'tool'), 0o755);
  });

  after(() => rm(folder, { recursive: true }));

  it('knows programs from other files and from folders', async () => {
    const machine = localMachine();
    const env = { PATH: `/nowhere${path.delimiter}${folder}` };
    assert.equal(await findProgram('tool', env, machine), path.join(folder, 'tool'));
    assert.equal(await findProgram('absent', env, machine), undefined);
    assert.equal(await machine.programs.isProgram(folder), false);
    if (process.platform !== 'win32') {
      assert.equal(await findProgram('notes.txt', env, machine), undefined);
    }
  });

  it('asks the login shell once, and takes its failure for no answer', async () => {
    let asked = 0;
    const machine = localMachine(async () => {
      asked += 1;
      return { PATH: '/shell' };
    });
    assert.equal(await machine.programs.shellPath(), '/shell');
    assert.equal(await machine.programs.shellPath(), '/shell');
    assert.equal(asked, 1);
    const failing = localMachine(async () => Promise.reject(new Error('no shell')));
    assert.equal(await failing.programs.shellPath(), undefined);
  });

  it('does without a login shell that takes too long, and asks it no second time', async () => {
    assert.equal(shellLimitMs, 10_000);
    const asked: AbortSignal[] = [];
    const machine = localMachine((signal) => {
      asked.push(signal);
      return new Promise(() => undefined);
    }, 20);
    assert.equal(await machine.programs.shellPath(), undefined);
    assert.equal(await machine.programs.shellPath(), undefined);
    assert.deepEqual(
      asked.map(({ aborted }) => aborted),
      [true],
    );
  });

  it('gets the PATH of the real login shell', async () => {
    // Without what the user's own start files do, which may take any time.
    await atHome(folder, async () => {
      const shellPath = await localMachine().programs.shellPath();
      assert.ok((shellPath ?? '').length > 0);
    });
  });

  // By the shell that every such system has: which files that of the user reads is the user's matter.
  itOnPosix('leaves no login shell behind that is given up', async () => {
    const home = await mkdtemp(path.join(folder, 'home-'));
    const begun = path.join(home, 'begun');
    await writeFile(
      path.join(home, '.profile'),
      `echo $$ >> '${begun}'; while :; do sleep 0.1; done\n`,
    );
    const pids = (): readonly number[] =>
      existsSync(begun) ? readFileSync(begun, 'utf8').split('\n').filter(Boolean).map(Number) : [];
    await atHome(home, async () => {
      const tooLate = new AbortController();
      const asking = assert.rejects(loginShell(tooLate.signal, '/bin/sh'));
      await waitUntil('the shell to read its file', () => pids().some(isAlive), 20_000);
      tooLate.abort();
      await asking;
      await waitUntil('its end', () => !pids().some(isAlive), 20_000);
    });
  });
});

describe('findProgram', () => {
  it('on Windows tries the extensions of PATHEXT, whatever the case of Path', async () => {
    const machine = {
      platform: 'win32',
      programs: programsAt(['C:\\node\\npx.cmd']),
    } as const;
    const env = { Path: 'C:\\windows;C:\\node', PathExt: '.EXE;.CMD' };
    assert.equal(await findProgram('npx', env, machine), 'C:\\node\\npx.cmd');
  });
});
