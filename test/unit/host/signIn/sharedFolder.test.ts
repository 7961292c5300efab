import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SharedFolder } from '../../../../src/host/signIn/sharedFolder.ts';
import { deferred } from '../../../support/deferred.ts';
import { itOnPosix } from '../../../support/platform.ts';

const never = new AbortController().signal;
const takesTurns = fileURLToPath(new URL('../../../servers/takesTurns.ts', import.meta.url));
const diesInTurn = fileURLToPath(new URL('../../../servers/diesInTurn.ts', import.meta.url));

describe('SharedFolder', () => {
  let root: string;
  let folder: string;
  let failures: unknown[];
  let shared: SharedFolder;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'shared-'));
    folder = path.join(root, 'not there yet');
    failures = [];
    shared = new SharedFolder(folder, (error) => failures.push(error));
  });

  afterEach(async () => {
    await rm(root, { recursive: true });
  });

  it('keeps texts for the user alone', async () => {
    assert.equal(await shared.read('a'), undefined);
    await shared.write('a', 'one');
    await shared.write('a', 'two');
    assert.equal(await new SharedFolder(folder, assert.ifError).read('a'), 'two');
    assert.deepEqual(await readdir(folder), ['a']);
    if (process.platform !== 'win32') {
      assert.equal((await stat(path.join(folder, 'a'))).mode & 0o777, 0o600);
    }
    assert.deepEqual(failures, []);
  });

  it('gives turns to processes one at a time', async () => {
    const file = path.join(root, 'count');
    await writeFile(file, '0');
    const run = promisify(execFile);
    const others = [1, 2, 3].map(() => run(process.execPath, [takesTurns, folder, file, '15']));
    await Promise.all(others);
    assert.equal(await readFile(file, 'utf8'), '45');
    assert.deepEqual(await readdir(folder), ['count.turn.45']);
  });

  it('gives the turn of a process that has died to one alone of those that see it', async () => {
    const file = path.join(root, 'count');
    await writeFile(file, '0');
    const run = promisify(execFile);
    const all = Array.from({ length: 8 }, () => run(process.execPath, [diesInTurn, folder, file]));
    await Promise.all(all);
    assert.equal(await readFile(file, 'utf8'), '8');
  });

  it('gives the turn on when a task fails, and lets go of who gives up waiting', async () => {
    const begun = deferred<void>();
    const first = deferred<void>();
    const failing = shared.alone(
      'a',
      async () => {
        begun.resolve();
        await first.promise;
        throw new Error('failed');
      },
      never,
    );
    await begun.promise;
    const controller = new AbortController();
    const waiting = shared.alone('a', async () => 'late', controller.signal);
    const reason = new Error('given up');
    controller.abort(reason);
    await assert.rejects(waiting, reason);
    assert.equal(await shared.alone('b', async () => 'another name', never), 'another name');
    first.resolve();
    await assert.rejects(failing, /failed/u);
    assert.equal(await shared.alone('a', async () => 'next', never), 'next');
  });

  it('waits for no turn of a process that has died', async () => {
    await shared.write('a.turn.7', String(2 ** 30));
    assert.equal(await shared.alone('a', async () => 'done', never), 'done');
  });

  for (const [what, ageMs] of [
    ['set ahead', 120_000],
    ['set back', -120_000],
  ] as const) {
    it(`waits for a turn as long as one may take, and no longer, where a clock was ${what}`, async () => {
      await shared.write('a.turn.7', String(process.pid));
      const since = new Date(Date.now() - ageMs);
      await utimes(path.join(folder, 'a.turn.7'), since, since);
      const patient = new SharedFolder(folder, assert.ifError, 60_000);
      const waiting = patient.alone('a', async () => 'done', AbortSignal.timeout(200));
      await assert.rejects(waiting, { name: 'TimeoutError' });
      const impatient = new SharedFolder(folder, assert.ifError, 300);
      assert.equal(await impatient.alone('a', async () => 'done', never), 'done');
    });
  }

  it('gives back no turn that another has', async () => {
    await shared.alone('a', () => shared.write('a.turn.2', String(process.pid)), never);
    const waiting = shared.alone('a', async () => 'done', AbortSignal.timeout(200));
    await assert.rejects(waiting, { name: 'TimeoutError' });
  });

  it('takes no turn of long ago after having slept over a look', async () => {
    await shared.write('a.turn.1', '');
    const looked = path.join(folder, 'a.turn.1');
    let wake = async (): Promise<void> => shared.write('a.turn.10', String(process.pid));
    if (process.platform !== 'win32') {
      // Whoever reads a pipe sleeps until somebody writes to it.
      await rm(looked);
      await promisify(execFile)('mkfifo', [looked]);
      const meanwhile = wake;
      wake = async () => {
        const pipe = await open(looked, 'w');
        await meanwhile();
        await pipe.writeFile(String(2 ** 30));
        await pipe.close();
      };
    }
    const waiting = shared.alone('a', async () => 'done', AbortSignal.timeout(500));
    const isRejected = assert.rejects(waiting, { name: 'TimeoutError' });
    await wake();
    await isRejected;
    assert.deepEqual(await readdir(folder), ['a.turn.1', 'a.turn.10']);
  });

  it('leaves no part behind of a text that it could not write', async () => {
    await mkdir(path.join(folder, 'a', 'in its way'), { recursive: true });
    await shared.write('a', 'text');
    assert.equal(failures.length, 1);
    assert.deepEqual(await readdir(folder), ['a']);
  });

  itOnPosix(
    'leaves no turn behind that it could not write, for which others would wait',
    async () => {
      // A file may be created, but not have a byte, as on a full disk.
      const script = 'ulimit -f 0; exec "$@"';
      const call = [process.execPath, takesTurns, folder, path.join(root, 'count'), '1'];
      const run = promisify(execFile)('/bin/sh', ['-c', script, 'sh', ...call]);
      await assert.rejects(run, { stderr: /EFBIG/u });
      assert.deepEqual(await readdir(folder), []);
    },
  );

  it('goes on alone, and says so, where the folder cannot be written', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0) {
      // Root writes everywhere: a file in its place stands in its way.
      await writeFile(folder, '');
    } else {
      await chmod(root, 0o500);
    }
    try {
      await shared.write('a', 'text');
      assert.equal(await shared.read('a'), undefined);
      assert.equal(await shared.alone('a', async () => 'done', never), 'done');
      assert.ok(failures.length > 0);
    } finally {
      await chmod(root, 0o700);
    }
  });
});
