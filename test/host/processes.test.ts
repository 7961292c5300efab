/** The processes of servers: stopped with all that they started, started again after a crash, told of when they fail. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  ask,
  clear,
  configure,
  fromRoot,
  isAlive,
  node,
  numbersIn,
  probe,
  run,
  server,
  servers,
  temporaryFolder,
  until,
  untilState,
  type Entries,
} from './support/host.ts';

/** What the extension promises for the end of a server, with room for a busy machine. */
const stopMs = 10_000;

describe('processes', () => {
  let pids: string;

  beforeEach(() => {
    pids = join(temporaryFolder(), 'pids');
  });

  afterEach(clear);

  function unwilling(): Entries {
    return { command: node, args: [fromRoot('test/servers/unwilling.mjs')], env: { PIDS: pids } };
  }

  it('STDIO-07: stop ends a server that ignores the end of input and SIGTERM, and its child', async () => {
    await configure({ unwilling: unwilling() });
    await untilState('unwilling', 'ready');
    const all = await until('two processes', () => {
      const found = numbersIn(pids);
      return found.length === 2 && found;
    });
    assert.ok(all.every(isAlive));
    const started = performance.now();
    await run('stopServer', { serverId: 'user/unwilling' });
    assert.equal(server('unwilling')?.state, 'stopped');
    await until('both are gone', () => !all.some(isAlive), stopMs);
    assert.ok(performance.now() - started < stopMs);
  });

  it('STDIO-07: the bundles as they are packed leave nothing behind when their process is killed', async () => {
    const script = fromRoot('test/servers/bundledHostToKill.cjs');
    const args = [
      script,
      fromRoot('dist/protocol.cjs'),
      node,
      fromRoot('test/servers/unwilling.mjs'),
    ];
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', PIDS: pids };
    const host = spawn(process.execPath, args, { env, stdio: 'ignore' });
    try {
      const all = await until('two processes', () => {
        const found = numbersIn(pids);
        return found.length === 2 && found;
      });
      assert.ok(all.every(isAlive));
      host.kill('SIGKILL');
      await until('both are gone', () => !all.some(isAlive), stopMs);
    } finally {
      host.kill('SIGKILL');
    }
  });

  it('HOST-12: stop all stops all, and restart gives another process (@smoke)', async () => {
    await configure({ first: probe({ PIDS: pids }), second: probe({ PIDS: pids }) });
    await Promise.all([untilState('first', 'ready'), untilState('second', 'ready')]);
    const before = await ask('first', 'pid');
    await run('restartServer', { serverId: 'user/first' });
    await untilState('first', 'ready');
    assert.notEqual(await ask('first', 'pid'), before);
    await run('stopAllServers');
    assert.deepEqual(
      servers().map(({ state }) => state),
      ['stopped', 'stopped'],
    );
    assert.equal(numbersIn(pids).length, 3);
    await until('all are gone', () => !numbersIn(pids).some(isAlive), stopMs);
    // What was stopped by hand stays so until it is started by hand.
    await run('startServer', { serverId: 'user/second' });
    await untilState('second', 'ready');
    assert.equal(server('first')?.state, 'stopped');
  });

  it('STDIO-08, VSC-18: starts a server again that ended by itself', async () => {
    await configure({ probe: probe({ PIDS: pids }) });
    await untilState('probe', 'ready');
    await assert.rejects(ask('probe', 'crash'));
    const waiting = await untilState('probe', 'waiting');
    assert.match(waiting.error ?? '', /"probe" ended: exited with code 3/);
    await untilState('probe', 'ready');
    const [first, second] = numbersIn(pids);
    assert.ok(first !== undefined && second !== undefined && !isAlive(first) && isAlive(second));
    assert.equal(await ask('probe', 'pid'), String(second));
  });

  it('STDIO-08, VSC-18: gives up on a server that ends each time, and tells its last words', async () => {
    await configure({ probe: probe({ PIDS: pids, CRASH: '1' }) });
    const { error } = await untilState('probe', 'failed');
    assert.match(error ?? '', /exited with code 4/);
    await run('copyError', { serverId: 'user/probe' });
    assert.match(
      await vscode.env.clipboard.readText(),
      /probe[^]*exited with code 4[^]*no disk left/,
    );
    // Three starts, each with a second one in case it was the first question that it could not bear.
    assert.equal(numbersIn(pids).length, 6);
    await configure({ probe: probe({ PIDS: pids }) });
    await untilState('probe', 'ready');
  });

  it('VSC-18: the report on a start says what ran where, what came of it and what to do, and no secret', async () => {
    const args = [
      fromRoot('test/servers/probe.mjs'),
      '--key=hidden-4711',
      '--header',
      'Authorization: Bearer hidden-4712 $(hidden-4712',
      'postgres://ann:hidden-4713@db',
    ];
    const env = { PIDS: pids, CRASH: '1', API_TOKEN: 'hidden-4711' };
    await configure({ probe: { command: node, args, env } });
    await untilState('probe', 'failed');
    await run('diagnoseServer', { serverId: 'user/probe' });
    const report = await until('the report', () =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith('/probe-start.md')),
    );
    const text = report.getText();
    assert.match(text, /\*\*Try this\.\*\* \S/);
    assert.match(text, /exited with code 4/);
    assert.match(text, /no disk left/);
    assert.ok(text.includes(`- Program: \`${node}\``), text);
    assert.match(text, /- Variables that the entry sets: `.*API_TOKEN/);
    assert.ok(!text.includes('hidden-'), text);
    assert.match(text, /- Machine: `.+ \(.+\), \w+/);
  });

  it('STDIO-10, VSC-18: names the command that does not exist', async () => {
    await configure({ absent: { command: 'no-such-program-4711' } });
    const { error } = await untilState('absent', 'failed');
    assert.match(error ?? '', /no-such-program-4711/);
  });

  it('names the folder that does not exist', async () => {
    await configure({ absent: probe({}, { cwd: '/no/such/folder' }) });
    const { error } = await untilState('absent', 'failed');
    assert.match(error ?? '', /\/no\/such\/folder/);
  });

  it('VSC-18: names the address that nobody answers at', async () => {
    await configure({ absent: { url: 'http://127.0.0.1:1/mcp' } });
    const { error } = await untilState('absent', 'failed');
    assert.match(error ?? '', /127\.0\.0\.1:1\b/);
  });
});
