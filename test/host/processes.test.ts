/** The processes of servers: stopped with all that they started, started again after a crash, told of when they fail. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { listen, shut } from '../support/listening.ts';
import {
  ask,
  clear,
  configure,
  fromRoot,
  isAlive,
  node,
  numbersIn,
  probe,
  reportOn,
  run,
  server,
  servers,
  temporaryFolder,
  until,
  untilState,
} from './support/host.ts';

/** What the extension promises for the end of a server, with room for a busy machine. */
const stopMs = 10_000;

describe('processes', () => {
  let pids: string;

  beforeEach(() => {
    pids = join(temporaryFolder(), 'pids');
  });

  afterEach(clear);

  async function twoProcesses(): Promise<readonly number[]> {
    await until('two processes', () => numbersIn(pids).length === 2);
    assert.ok(numbersIn(pids).every(isAlive));
    return numbersIn(pids);
  }

  it('STDIO-07: the bundles as they are packed leave nothing behind when their process is killed', async () => {
    const script = fromRoot('test/servers/bundledHostToKill.cjs');
    const args = [
      script,
      fromRoot('dist/servers.cjs'),
      node,
      fromRoot('test/servers/unwilling.mjs'),
    ];
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', PIDS: pids };
    const host = spawn(process.execPath, args, { env, stdio: 'ignore' });
    try {
      const all = await twoProcesses();
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

  it('VSC-16, VSC-18: the report on a start says what ran where, what came of it and what to do, and no secret', async () => {
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
    const text = await reportOn('probe');
    assert.match(text, /\*\*Try this\.\*\* \S/);
    assert.match(text, /exited with code 4/);
    assert.match(text, /no disk left/);
    assert.ok(text.includes(`- Program: \`${node}\``), text);
    assert.match(text, /- Variables that the entry sets: `.*API_TOKEN/);
    assert.ok(!text.includes('hidden-'), text);
    assert.match(text, /- Machine: `.+ \(.+\), \w+/);
  });

  it('VSC-16, VSC-18: the report quotes what a program wrote in place of messages, and says where it ran and how it ended', async () => {
    const script = `console.log('Listening on port 3000 for hidden-4711'); process.kill(process.pid, 'SIGKILL')`;
    const cwd = temporaryFolder();
    const env = { PORT: '3000', API_TOKEN: 'hidden-4711', HOME: null };
    await configure({ chatty: { command: node, args: ['-e', script], env, cwd } });
    await untilState('chatty', 'failed');
    const text = await reportOn('chatty');
    assert.match(
      text,
      /## First line on standard output that was not a message\n+```\n.*Listening on port/,
    );
    assert.match(text, /killed by SIGKILL/);
    assert.ok(text.includes(`- Working directory: \`${cwd}\``), text);
    assert.match(text, /- Variables that the entry sets: `API_TOKEN, .*PORT/);
    assert.match(text, /- Variables that the entry removes: `.*HOME/);
    assert.match(text, /- Proxy: `/);
    assert.ok(!text.includes('hidden-'), text);
  });

  it('VSC-16, VSC-18: the report quotes what an HTTP server answers, and no key of the entry', async () => {
    const refusing = createServer((request, response) => {
      const { authorization = '' } = request.headers;
      const words = `<h1>Moved to the attic</h1> ${authorization}, cannot ${request.method} ${request.url}`;
      response.writeHead(410, { 'content-type': 'text/html' });
      // What an error quotes ends in the middle of the token.
      const long = `${words} ${'x'.repeat(1_983 - words.length)}${authorization}`;
      response.end(long);
    });
    try {
      const url = `http://127.0.0.1:${await listen(refusing)}/s/NDk3ZDUzMGQtNjYwZi00/mcp?key=hidden-4711`;
      await configure({ attic: { url, headers: { Authorization: 'Bearer hidden-4712' } } });
      await untilState('attic', 'failed');
      const text = await reportOn('attic');
      assert.match(text, /- HTTP status: `410`/);
      assert.match(text, /- Answer: `<h1>Moved to the attic<\/h1>/);
      assert.match(text, /- URL: `http:\/\/127\.0\.0\.1:\d+\/s\/\*\*\*\/mcp`/);
      assert.match(text, /- Headers of the entry: `Authorization`/);
      assert.ok(!/hidden-|NDk3/.test(text), text);
    } finally {
      await shut(refusing);
    }
  });

  it('VSC-16: an entry that cannot be used is told of once', async () => {
    await configure({ bare: { command: node, envFile: '/no/such/.env' } });
    await untilState('bare', 'failed');
    const text = await reportOn('bare');
    assert.match(text, /Correct the field of the entry that is named below/u);
    assert.equal(text.split('cannot be read').length, 2, text);
  });
});
