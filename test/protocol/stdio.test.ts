import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { McpError } from '../../src/mcp/errors.ts';
import { isResponse, type RpcMessage } from '../../src/mcp/types/message.ts';
import { StdioTransport, type StdioOptions } from '../../src/mcp/transport/stdio/stdio.ts';
import type { Diagnostic } from '../../src/mcp/transport/transport.ts';
import { closedAfterTest } from '../support/closing.ts';
import { alive, ownProcesses } from '../support/ownProcesses.ts';
import { itOnPosix } from '../support/platform.ts';
import { TransportTap } from '../support/transportTap.ts';
import { waitUntil } from '../support/waitUntil.ts';

const serverPath = fileURLToPath(new URL('../servers/stdioScripted.mjs', import.meta.url));
const shortStop = { afterEndOfInputMs: 300, afterTermMs: 300, afterKillMs: 3_000 };

/** The process of the server, what it said, and what it answers. */
class Channel extends TransportTap {
  #replies = 0;

  constructor(options: Partial<StdioOptions> = {}) {
    super(
      new StdioTransport({
        command: process.execPath,
        args: [serverPath],
        env: process.env,
        ...options,
      }),
    );
  }

  /** What the server answers; requests are asked one after the other. */
  async reply(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    await this.ask(method, params);
    this.#replies += 1;
    await waitUntil(`a reply to ${method}`, () => this.#answers.length === this.#replies, 20_000);
    const answer = this.#answers.at(-1);
    return answer !== undefined && 'result' in answer ? answer.result : undefined;
  }

  get #answers(): readonly RpcMessage[] {
    return this.inbound.map(({ message }) => message).filter(isResponse);
  }

  async pid(): Promise<number> {
    return Number(await this.reply('pid'));
  }

  async ended(): Promise<readonly string[]> {
    await waitUntil('the end', () => this.closes.length > 0, 20_000);
    return this.endings;
  }

  textsOf(source: Diagnostic['source']): readonly string[] {
    return this.diagnostics.filter((each) => each.source === source).map(({ text }) => text);
  }
}

function numbersIn(value: unknown): readonly number[] {
  assert.ok(Array.isArray(value) && value.every((each) => Number.isSafeInteger(each)));
  return value.map(Number);
}

const note = (n: unknown): RpcMessage => ({ jsonrpc: '2.0', method: 'n', params: { n } });
const lineOf = (message: unknown): string => `${JSON.stringify(message)}\n`;

async function failureOf(options: Partial<StdioOptions>): Promise<string> {
  const channel = new Channel(options);
  let message = '';
  await assert.rejects(channel.start(), (error: McpError) => {
    message = error.message;
    return error.code === 'unreachable';
  });
  await assert.rejects(channel.tell('n'), { code: 'closed' });
  await channel.transport.close();
  assert.deepEqual(channel.endings, ['requested']);
  return message;
}

async function open(options: Partial<StdioOptions> = {}): Promise<Channel> {
  const channel = new Channel(options);
  closedAfterTest(channel.transport);
  await channel.start();
  return channel;
}

describe('stdio transport', () => {
  describe('messages', () => {
    itOnPosix(
      'STDIO-02: starts the command with its arguments, environment and folder',
      async () => {
        const channel = await open({
          args: [serverPath, 'one argument', '', '$HOME; "quoted"'],
          env: { ONLY: 'this' },
          cwd: tmpdir(),
        });
        assert.deepEqual(await channel.reply('describe'), {
          args: ['one argument', '', '$HOME; "quoted"'],
          cwd: await realpath(tmpdir()),
          env: { ONLY: 'this' },
        });
      },
    );

    it('STDIO-03: writes one message a line, newlines inside escaped', async () => {
      const channel = await open();
      const text = 'a\nb\r\nc\u2028d 😀 \uD800';
      assert.deepEqual(await channel.reply('echo', { text }), { text });
      const input = String(await channel.reply('received'));
      assert.equal(input.trimEnd().split('\n').length, 2);
    });

    it('STDIO-04: writes nothing but messages, in the order of sending', async () => {
      const channel = await open();
      let expected = '';
      for (let n = 0; n < 2_000; n += 1) {
        await channel.tell('n', { n });
        expected += lineOf({ jsonrpc: '2.0', method: 'n', params: { n } });
      }
      channel.transport.beginSession();
      channel.transport.sessionReady({ revision: '2025-11-25', sendsVersionHeader: true });
      const input = await channel.reply('received');
      expected += lineOf({ jsonrpc: '2.0', id: 1, method: 'received', params: {} });
      assert.equal(input, expected);
    });

    it('STDIO-06: keeps standard error apart, line by line', async () => {
      const channel = await open();
      await channel.reply('stderr', { text: 'first\nsecond {"jsonrpc":"2.0"}\nerror: not one\n' });
      await waitUntil('standard error', () => channel.textsOf('stderr').length === 3);
      assert.deepEqual(channel.textsOf('stderr'), [
        'first',
        'second {"jsonrpc":"2.0"}',
        'error: not one',
      ]);
      assert.deepEqual(channel.closes, []);
      assert.equal(channel.inbound.length, 1);
    });

    it('ends a connection whose server does not read, naming the bytes that wait', async () => {
      const channel = await open({ limits: { maxUnsentBytes: 1_000_000 }, stopTimes: shortStop });
      await channel.reply('stopReading');
      const filler = 'x'.repeat(100_000);
      for (let n = 0; n < 30 && channel.closes.length === 0; n += 1) {
        void channel.transport.send(note(filler))?.catch(() => undefined);
        await sleep(0);
      }
      assert.match((await channel.ended()).join(), /^failed: .*does not read .* bytes/);
    });
  });

  describe('the end', () => {
    it('STDIO-08: names the exit code, after all output has been read', async () => {
      const channel = await open();
      const last = Array.from({ length: 2_000 }, (_, n) => lineOf(note(n))).join('');
      await channel.tell('exit', { code: 3, last: last.trimEnd() }); // the very last line lacks its newline
      assert.deepEqual(await channel.ended(), ['ended: exited with code 3']);
      assert.equal(channel.inbound.length, 2_000);
      await assert.rejects(async () => channel.transport.send(note(1)), { code: 'closed' });
      await channel.transport.close();
      assert.equal(channel.closes.length, 1);
    });

    it('STDIO-08: ends after the last line of standard error', async () => {
      const channel = await open();
      const seen: (readonly string[])[] = [];
      channel.transport.onDidClose(() => seen.push(channel.textsOf('stderr')));
      await channel.tell('fail', { text: 'Error: no token\n' });
      await channel.ended();
      assert.deepEqual(seen, [['Error: no token']]);
    });

    it('STDIO-08: names the signal', async () => {
      const channel = await open();
      await channel.tell('kill', { signal: 'SIGSEGV' });
      assert.deepEqual(await channel.ended(), ['ended: killed by SIGSEGV']);
    });

    it('STDIO-08: ends when standard output is closed, and stops the process', async () => {
      const channel = await open({ stopTimes: shortStop });
      const pid = await channel.pid();
      await channel.tell('closeOutput');
      assert.deepEqual(await channel.ended(), ['ended: closed its standard output']);
      await channel.transport.close();
      assert.deepEqual(alive([pid]), []);
    });

    it('STDIO-08: ends when standard input is closed', async () => {
      const channel = await open({ stopTimes: shortStop });
      await channel.reply('closeInput');
      await waitUntil('the end', () => {
        void channel.transport.send(note(1))?.catch(() => undefined);
        return channel.closes.length > 0;
      });
      assert.deepEqual(channel.endings, ['ended: closed its standard input']);
    });

    it('STDIO-08: does not wait for a child that holds the output of a server that is gone', async () => {
      const channel = await open({ stopTimes: shortStop });
      const child = Number(await channel.reply('leaveChild'));
      assert.deepEqual(alive([child]), [child]);
      await channel.tell('exit', { code: 4 });
      assert.deepEqual(await channel.ended(), ['ended: exited with code 4']);
      await channel.transport.close();
      assert.deepEqual(alive([child]), []);
    });

    it('STDIO-07: a server that ends with its input is given the time to do so', async () => {
      const channel = await open();
      const pid = await channel.pid();
      await channel.tell('stderr', { text: 'last words\n' });
      await channel.transport.close();
      assert.deepEqual(channel.endings, ['requested']);
      assert.deepEqual(channel.textsOf('stderr'), ['last words']);
      assert.deepEqual(alive([pid]), []);
    });

    it('STDIO-07: ends a server that ignores end of input and SIGTERM, with child and grandchild, within 10 s', async () => {
      const channel = await open();
      const pids = numbersIn(await channel.reply('tree'));
      assert.equal(pids.length, 4);
      assert.deepEqual(alive(pids), pids);
      const startedAt = performance.now();
      await channel.transport.close();
      assert.deepEqual(alive(pids), []);
      assert.ok(performance.now() - startedAt < 10_000);
    });

    itOnPosix('STDIO-07: leaves a daemon alone that the server handed to init', async () => {
      const channel = await open({ stopTimes: shortStop });
      const daemon = Number(await channel.reply('daemon'));
      await channel.reply('stubborn');
      const pid = await channel.pid();
      await channel.transport.close();
      assert.deepEqual(alive([pid, daemon]), [daemon]);
      process.kill(daemon, 'SIGKILL');
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

    it('is cancelled by its signal', async () => {
      await assert.rejects(new Channel().start(AbortSignal.abort()), { code: 'cancelled' });
      const controller = new AbortController();
      const channel = new Channel();
      const start = channel.start(controller.signal);
      controller.abort();
      await assert.rejects(start, { code: 'cancelled' });
      await channel.transport.close();
      assert.equal(channel.closes.length, 1);
    });

    it('is given up by close, which leaves no process behind', async () => {
      const channel = new Channel();
      const start = assert.rejects(channel.start(), { code: 'closed' });
      await channel.transport.close();
      await start;
      assert.deepEqual(channel.endings, ['requested']);
      await waitUntil('the end of all child processes', () => ownProcesses() === 0, 20_000);
    });
  });
});
