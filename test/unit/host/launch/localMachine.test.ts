import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  localMachine,
  shellKeptMs,
  shellLimitMs,
  userShell,
} from '../../../../src/host/launch/localMachine.ts';
import { findProgram, reachable } from '../../../../src/host/launch/programSearch.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { programsAt, withoutTargets } from '../../../support/programs.ts';

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
    const machine = localMachine(async () => undefined);
    const env = { PATH: `/nowhere${path.delimiter}${folder}` };
    assert.equal(await findProgram('tool', env, machine), path.join(folder, 'tool'));
    assert.equal(await findProgram('absent', env, machine), undefined);
    assert.equal(await machine.programs.isProgram(folder), false);
    if (process.platform !== 'win32') {
      assert.equal(await findProgram('notes.txt', env, machine), undefined);
    }
  });

  it('knows an alias of the Microsoft Store, of which Windows lets nobody see the target', async () => {
    const { programs } = localMachine(async () => undefined);
    await withoutTargets(async () => {
      assert.equal(await programs.isProgram(path.join(folder, 'tool')), true);
      assert.equal(await programs.isProgram(path.join(folder, 'absent')), false);
      assert.equal(await programs.isProgram(folder), false);
    });
  });

  it('asks the login shell once, and takes its failure for no answer', async () => {
    let asked = 0;
    const machine = localMachine(async () => {
      asked += 1;
      return '/shell';
    });
    assert.equal(await machine.programs.shellPath(), '/shell');
    assert.equal(await machine.programs.shellPath(), '/shell');
    assert.equal(asked, 1);
    const failing = localMachine(async () => Promise.reject(new Error('no shell')));
    assert.equal(await failing.programs.shellPath(), undefined);
  });

  it('STDIO-10: asks the login shell anew for a program that its last answer does not lead to, but not at once', async () => {
    let answer: string | undefined = '/old';
    let asked = 0;
    const clock = new FakeClock();
    const ask = async (): Promise<string | undefined> => {
      asked += 1;
      return answer;
    };
    const local = localMachine(ask, shellLimitMs, clock);
    const machine = {
      ...local,
      platform: 'posix',
      programs: { ...local.programs, isProgram: async (file: string) => file === '/new/npx' },
    } as const;
    const find = async (): Promise<unknown> =>
      (await reachable('npx', { PATH: '/bin' }, { machine, folders: [] })).foundByShell;
    assert.deepEqual([await find(), asked], [undefined, 1]);
    answer = '/new';
    assert.deepEqual([await find(), asked], [undefined, 1]);
    clock.advance(shellKeptMs);
    assert.deepEqual(await Promise.all([find(), find()]), ['/new/npx', '/new/npx']);
    clock.advance(shellKeptMs);
    assert.deepEqual([await find(), asked], ['/new/npx', 2]);
    answer = undefined;
    assert.equal(await local.programs.newShellPath(), '/new');
  });

  it('does without a login shell that takes too long, and asks it no second time', async () => {
    assert.equal(shellLimitMs, 10_000);
    const asked: AbortSignal[] = [];
    const clock = new FakeClock();
    const machine = localMachine(
      (signal) => {
        asked.push(signal);
        return new Promise(() => undefined);
      },
      20,
      clock,
    );
    assert.equal(await machine.programs.shellPath(), undefined);
    clock.advance(shellKeptMs);
    assert.equal(await machine.programs.newShellPath(), undefined);
    assert.deepEqual(
      asked.map(({ aborted }) => aborted),
      [true],
    );
  });
});

describe('userShell', () => {
  it('asks the environment if the system names no shell, or knows no such user', () => {
    const env = { SHELL: '/bin/fish' };
    assert.equal(
      userShell(() => ({ shell: '/bin/zsh' }), env),
      '/bin/zsh',
    );
    for (const look of [
      () => assert.fail('ENOENT'),
      () => ({ shell: '' }),
      () => ({ shell: null }),
    ]) {
      assert.equal(userShell(look, env), '/bin/fish');
      assert.equal(userShell(look, {}), '/bin/sh');
    }
  });
});

describe('findProgram', () => {
  it('on Windows finds the file that will be started: by PATHEXT, in the absolute folders of Path', async () => {
    const found = ['.\\npx.CMD', 'C:\\my node\\npx.CMD', 'C:\\node\\npx.CMD'];
    const machine = { platform: 'win32', programs: programsAt(found) } as const;
    const env = { Path: 'C:\\windows;.;"C:\\my node";C:\\node', PathExt: '.EXE;.CMD' };
    assert.equal(await findProgram('npx', env, machine), 'C:\\my node\\npx.CMD');
  });
});
