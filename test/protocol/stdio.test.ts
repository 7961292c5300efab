import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isMcpError } from '../../src/mcp/errors.ts';
import { isRequest, isResponse, type RpcMessage } from '../../src/mcp/types/message.ts';
import { type ProcessEntry, readProcessTable } from '../../src/mcp/transport/stdio/processTree.ts';
import { createStdioTransport, type StdioOptions } from '../../src/mcp/transport/stdio/stdio.ts';
import type { CloseReason, Diagnostic, Transport } from '../../src/mcp/transport/transport.ts';
import { closedAfterTest } from '../support/closing.ts';
import { itOnPosix } from '../support/platform.ts';

const serverPath = fileURLToPath(new URL('../servers/stdioScripted.mjs', import.meta.url));
const hostPath = fileURLToPath(new URL('../servers/stdioHostThatExits.mjs', import.meta.url));
const never = new AbortController().signal;
const shortStop = { afterEndOfInputMs: 300, afterTermMs: 300, afterKillMs: 3_000 };

/** A transport, everything that came out of it, and requests by method. */
class Channel {
  readonly transport: Transport;
  readonly messages: RpcMessage[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly closes: CloseReason[] = [];
  readonly closed: Promise<CloseReason>;
  #nextId = 1;

  constructor(options: Partial<StdioOptions> = {}) {
    this.transport = createStdioTransport({
      command: process.execPath,
      args: [serverPath],
      env: process.env,
      ...options,
    });
    this.transport.onDidReceive(({ message }) => this.messages.push(message));
    this.transport.onDidDiagnose((diagnostic) => this.diagnostics.push(diagnostic));
    this.closed = new Promise((resolve) => {
      this.transport.onDidClose((reason) => {
        this.closes.push(reason);
        resolve(reason);
      });
    });
  }

  async start(): Promise<this> {
    await this.transport.start(never);
    return this;
  }

  tell(method: string, params: Record<string, unknown> = {}): void {
    assert.equal(this.transport.send({ jsonrpc: '2.0', method, params }), undefined);
  }

  async ask(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    assert.equal(this.transport.send({ jsonrpc: '2.0', id, method, params }), undefined);
    const isReply = (message: RpcMessage): boolean => isResponse(message) && message.id === id;
    await until(() => this.messages.some(isReply), `a reply to ${method}`);
    const reply = this.messages.find(isReply);
    return reply !== undefined && 'result' in reply ? reply.result : undefined;
  }

  async pid(): Promise<number> {
    return Number(await this.ask('pid'));
  }

  /** The messages that are no replies. */
  get others(): readonly RpcMessage[] {
    return this.messages.filter((message) => !isResponse(message) || isRequest(message));
  }

  texts(source: Diagnostic['source']): readonly string[] {
    return this.diagnostics.filter((each) => each.source === source).map(({ text }) => text);
  }
}

function isOurs({ parentPid, isZombie }: ProcessEntry): boolean {
  return parentPid === process.pid && !isZombie;
}

async function until(isTrue: () => boolean, what: string, limitMs = 20_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, `${what} did not come`);
    await sleep(5);
  }
}

function alive(pids: readonly number[]): readonly number[] {
  const live = new Set(
    readProcessTable()
      .filter(({ isZombie }) => !isZombie)
      .map(({ pid }) => pid),
  );
  return pids.filter((pid) => live.has(pid));
}

function numbersIn(value: unknown): readonly number[] {
  assert.ok(Array.isArray(value) && value.every((each) => Number.isSafeInteger(each)));
  return value.map(Number);
}

const note = (n: unknown): RpcMessage => ({ jsonrpc: '2.0', method: 'n', params: { n } });
const lineOf = (message: unknown): string => `${JSON.stringify(message)}\n`;

async function failureOf(options: Partial<StdioOptions>): Promise<string> {
  const channel = new Channel(options);
  const error: unknown = await channel.transport.start(never).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(isMcpError(error), String(error));
  assert.equal(error.code, 'unreachable');
  await assert.rejects(async () => channel.transport.send(note(1)), { code: 'closed' });
  await channel.transport.close();
  assert.deepEqual(channel.closes, [{ kind: 'requested' }]);
  return error.message;
}

async function open(options: Partial<StdioOptions> = {}): Promise<Channel> {
  const channel = new Channel(options);
  closedAfterTest(channel.transport);
  return channel.start();
}

describe('stdio transport', function () {
  this.timeout(60_000);

  describe('messages', () => {
    itOnPosix(
      'STDIO-02: starts the command with its arguments, environment and folder',
      async () => {
        const channel = await open({
          args: [serverPath, 'one argument', '', '$HOME; "quoted"'],
          env: { ONLY: 'this' },
          cwd: tmpdir(),
        });
        assert.deepEqual(await channel.ask('describe'), {
          args: ['one argument', '', '$HOME; "quoted"'],
          cwd: await realpath(tmpdir()),
          env: { ONLY: 'this' },
        });
      },
    );

    it('STDIO-03: writes one message a line, newlines inside escaped', async () => {
      const channel = await open();
      const text = 'a\nb\r\nc\u2028d 😀 \uD800';
      assert.deepEqual(await channel.ask('echo', { text }), { text });
      const input = String(await channel.ask('received'));
      assert.equal(input.trimEnd().split('\n').length, 2);
    });

    it('STDIO-04: writes nothing but messages, in the order of sending', async () => {
      const channel = await open();
      let expected = '';
      for (let n = 0; n < 2_000; n += 1) {
        channel.tell('n', { n });
        expected += lineOf({ jsonrpc: '2.0', method: 'n', params: { n } });
        if (n % 500 === 0) {
          await sleep(0);
        }
      }
      channel.transport.beginSession();
      channel.transport.sessionReady({ revision: '2025-11-25', sendsVersionHeader: true });
      const input = await channel.ask('received');
      expected += lineOf({ jsonrpc: '2.0', id: 1, method: 'received', params: {} });
      assert.equal(input, expected);
    });

    it('STDIO-05: skips a line over its limit and stays usable', async () => {
      const channel = await open({ limits: { maxMessageBytes: 1_000_000 } });
      channel.tell('big', { bytes: 3_000_000 });
      assert.deepEqual(await channel.ask('echo', { n: 1 }), { n: 1 });
      assert.match(channel.texts('stdout').join(), /Skipped a line .* larger than 1000000 bytes/);
    });

    it('STDIO-06: keeps standard error apart, line by line', async () => {
      const channel = await open();
      await channel.ask('stderr', { text: 'first\nsecond {"jsonrpc":"2.0"}\nerror: not one\n' });
      await until(() => channel.texts('stderr').length === 3, 'standard error');
      assert.deepEqual(channel.texts('stderr'), [
        'first',
        'second {"jsonrpc":"2.0"}',
        'error: not one',
      ]);
      assert.deepEqual(channel.closes, []);
      assert.deepEqual(channel.others, []);
    });

    it('ends a connection whose server does not read, naming the bytes that wait', async () => {
      const channel = await open({ limits: { maxUnsentBytes: 1_000_000 }, stopTimes: shortStop });
      await channel.ask('stopReading');
      const filler = 'x'.repeat(100_000);
      for (let n = 0; n < 30 && channel.closes.length === 0; n += 1) {
        void channel.transport.send(note(filler))?.catch(() => undefined);
        await sleep(0);
      }
      const reason = await channel.closed;
      assert.equal(reason.kind, 'failed');
      assert.match(reason.kind === 'failed' ? reason.error.message : '', /does not read .* bytes/);
    });
  });

  describe('the end', () => {
    it('STDIO-08: names the exit code, after all output has been read', async () => {
      const channel = await open();
      const last = Array.from({ length: 2_000 }, (_, n) => lineOf(note(n))).join('');
      channel.tell('exit', { code: 3, last: last.trimEnd() }); // the very last line lacks its newline
      assert.deepEqual(await channel.closed, { kind: 'ended', detail: 'exited with code 3' });
      assert.equal(channel.others.length, 2_000);
      await assert.rejects(async () => channel.transport.send(note(1)), { code: 'closed' });
      await channel.transport.close();
      assert.equal(channel.closes.length, 1);
    });

    it('STDIO-08: ends after the last line of standard error', async () => {
      const channel = await open();
      const seen: (readonly string[])[] = [];
      channel.transport.onDidClose(() => seen.push(channel.texts('stderr')));
      channel.tell('fail', { text: 'Error: no token\n' });
      await channel.closed;
      assert.deepEqual(seen, [['Error: no token']]);
    });

    it('STDIO-08: names the signal', async () => {
      const channel = await open();
      channel.tell('kill', { signal: 'SIGSEGV' });
      assert.deepEqual(await channel.closed, { kind: 'ended', detail: 'killed by SIGSEGV' });
    });

    it('STDIO-08: ends when standard output is closed, and stops the process', async () => {
      const channel = await open({ stopTimes: shortStop });
      const pid = await channel.pid();
      channel.tell('closeOutput');
      assert.deepEqual(await channel.closed, {
        kind: 'ended',
        detail: 'closed its standard output',
      });
      await channel.transport.close();
      assert.deepEqual(alive([pid]), []);
    });

    it('STDIO-08: ends when standard input is closed', async () => {
      const channel = await open({ stopTimes: shortStop });
      await channel.ask('closeInput');
      await until(() => {
        void channel.transport.send(note(1))?.catch(() => undefined);
        return channel.closes.length > 0;
      }, 'the end');
      assert.deepEqual(channel.closes, [{ kind: 'ended', detail: 'closed its standard input' }]);
    });

    it('STDIO-08: does not wait for a child that holds the output of a server that is gone', async () => {
      const channel = await open({ stopTimes: shortStop });
      const child = Number(await channel.ask('leaveChild'));
      assert.deepEqual(alive([child]), [child]);
      channel.tell('exit', { code: 4 });
      assert.deepEqual(await channel.closed, { kind: 'ended', detail: 'exited with code 4' });
      await channel.transport.close();
      assert.deepEqual(alive([child]), []);
    });

    it('STDIO-07: a server that ends with its input is given the time to do so', async () => {
      const channel = await open();
      const pid = await channel.pid();
      channel.tell('stderr', { text: 'last words\n' });
      await channel.transport.close();
      assert.deepEqual(channel.closes, [{ kind: 'requested' }]);
      assert.deepEqual(channel.texts('stderr'), ['last words']);
      assert.deepEqual(alive([pid]), []);
    });

    it('STDIO-07: ends a server that ignores end of input and SIGTERM, with child and grandchild, within 10 s', async () => {
      const channel = await open();
      const pids = numbersIn(await channel.ask('tree'));
      assert.equal(pids.length, 4);
      assert.deepEqual(alive(pids), pids);
      const startedAt = performance.now();
      await channel.transport.close();
      assert.deepEqual(alive(pids), []);
      assert.ok(performance.now() - startedAt < 10_000);
    });

    itOnPosix('STDIO-07: leaves a daemon alone that the server handed to init', async () => {
      const channel = await open({ stopTimes: shortStop });
      const daemon = Number(await channel.ask('daemon'));
      await channel.ask('stubborn');
      const pid = await channel.pid();
      await channel.transport.close();
      assert.deepEqual(alive([pid, daemon]), [daemon]);
      process.kill(daemon, 'SIGKILL');
    });

    itOnPosix('STDIO-07: kills all trees when the host itself exits', async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [hostPath]);
      const pids = numbersIn(JSON.parse(stdout));
      assert.equal(pids.length, 4);
      await until(() => alive(pids).length === 0, 'the end of the trees');
      assert.deepEqual(alive(pids), []);
    });
  });

  describe('the start', () => {
    itOnPosix('STDIO-10: a command that is nowhere in PATH', async () => {
      const text = await failureOf({ command: 'no-such-launcher', env: { PATH: '/nowhere' } });
      assert.match(text, /"no-such-launcher": it was not found.*\/nowhere/);
    });

    it('STDIO-10: files that cannot be executed', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'mcp-host-'));
      try {
        const command = join(folder, 'server');
        await writeFile(command, 'no program');
        assert.match(await failureOf({ command }), /permission denied/);
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    it('an argument with a NUL character, without showing it', async () => {
      const text = await failureOf({ args: ['secret\u0000value'] });
      assert.match(text, /NUL/);
      assert.ok(!text.includes('secret'));
    });

    it('is cancelled by its signal', async () => {
      const channel = new Channel();
      await assert.rejects(channel.transport.start(AbortSignal.abort()), { code: 'cancelled' });
      const controller = new AbortController();
      const starting = new Channel();
      const start = starting.transport.start(controller.signal);
      controller.abort();
      await assert.rejects(start, { code: 'cancelled' });
      await starting.transport.close();
      assert.equal(starting.closes.length, 1);
    });

    it('is given up by close, which leaves no process behind', async () => {
      const channel = new Channel();
      const start = assert.rejects(channel.transport.start(never), { code: 'closed' });
      await channel.transport.close();
      await start;
      assert.deepEqual(channel.closes, [{ kind: 'requested' }]);
      await until(() => !readProcessTable().some(isOurs), 'the end of all child processes');
    });
  });
});
