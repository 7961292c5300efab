import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type ProcessEnd,
  startProcess,
} from '../../../../../src/mcp/transport/stdio/childProcess.ts';
import { readProcessTable } from '../../../../../src/mcp/transport/stdio/processTree.ts';
import {
  defaultStopTimes,
  type StopTimes,
} from '../../../../../src/mcp/transport/stdio/treeEnding.ts';
import { itOnPosix } from '../../../../support/platform.ts';
import { withoutTargets } from '../../../../support/programs.ts';

/** How a shell that runs this script ends when it is stopped after its first output. */
async function endOf(script: string, times: StopTimes): Promise<ProcessEnd> {
  const options = { command: '/bin/sh', args: ['-c', script], env: process.env };
  const server = await startProcess(options, times);
  await once(server.stdout, 'data');
  assert.deepEqual(await server.stop(), []);
  return server.ended;
}

describe('the stop of a process', () => {
  itOnPosix('STDIO-07: closes standard input first, and leaves time to exit', async () => {
    const end = await endOf('echo ready; cat; exit 7', defaultStopTimes);
    assert.deepEqual(end, { kind: 'exit', code: 7 });
  });

  itOnPosix('STDIO-07: sends SIGTERM before SIGKILL', async () => {
    const script = "trap 'exit 8' TERM; echo ready; while :; do sleep 0.05; done";
    const end = await endOf(script, { ...defaultStopTimes, afterEndOfInputMs: 0 });
    assert.deepEqual(end, { kind: 'exit', code: 8 });
  });

  itOnPosix('STDIO-07: sends SIGKILL to what ignores both', async () => {
    const script = "trap '' TERM; echo ready; while :; do sleep 0.05; done";
    const end = await endOf(script, { ...defaultStopTimes, afterEndOfInputMs: 0, afterTermMs: 50 });
    assert.deepEqual(end, { kind: 'signal', name: 'SIGKILL' });
  });

  itOnPosix('STDIO-07: and its child in a group of its own, which ignores both', async () => {
    const ignoring = `process.on('SIGTERM', () => 0); console.log(process.pid); setInterval(() => 0, 1e3);`;
    const parent = `require('node:child_process').spawn(process.execPath, ['-e', process.argv[1]],
      { detached: true, stdio: 'inherit' })`;
    const times = { ...defaultStopTimes, afterEndOfInputMs: 0, afterTermMs: 50 };
    const options = {
      command: process.execPath,
      args: ['-e', parent, ignoring],
      env: process.env,
    };
    const server = await startProcess(options, times);
    const [pid]: unknown[] = await once(server.stdout, 'data');
    assert.deepEqual(await server.stop(), []);
    const left = readProcessTable().filter((one) => one.pid === Number(String(pid)));
    assert.deepEqual(
      left.filter(({ isZombie }) => !isZombie),
      [],
    );
  });
});

describe('the start of a process on Windows', () => {
  itOnPosix('STDIO-10: starts an alias of the Microsoft Store itself, by no shell', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'alias-'));
    const command = path.join(folder, 'python.exe');
    await writeFile(command, '#!/bin/sh\ncat; exit 1\n', { mode: 0o755 });
    const real = process.platform;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    try {
      await withoutTargets(async () => {
        const server = await startProcess({ command, args: [], env: process.env });
        server.stdin.end('as it is');
        const [written]: unknown[] = await once(server.stdout, 'data');
        assert.equal(String(written), 'as it is');
        assert.deepEqual(await server.ended, { kind: 'exit', code: 1 });
        await server.stop();
      });
    } finally {
      Object.defineProperty(process, 'platform', { value: real });
      await rm(folder, { recursive: true });
    }
  });
});
