/**
 * The stdio transport: one server process, one JSON-RPC message per line on its pipes.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 *
 * outputLines.ts does the framing; childProcess.ts starts and ends the process.
 */
import { t } from '../../../base/l10n.ts';
import { after } from '../../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../../base/disposable.ts';
import { onUnexpectedError } from '../../../base/event.ts';
import { abortedError, McpError } from '../../errors.ts';
import type { RpcMessage, RpcReplyBatch } from '../../types/message.ts';
import {
  type ProcessEnd,
  type ProcessOptions,
  type ProcessTree,
  startProcess,
} from './childProcess.ts';
import { describeStartFailure } from './startFailure.ts';
import { MessageLines, StderrLines } from './outputLines.ts';
import { ChannelBase } from '../channel.ts';
import { defaultStdioLimits, type StdioLimits } from '../limits.ts';
import type { CloseReason, Transport } from '../transport.ts';
import { defaultStopTimes, type StopTimes } from './treeEnding.ts';

export interface StdioOptions extends ProcessOptions {
  /** Override the default limits. */
  readonly limits?: Partial<StdioLimits>;
  readonly stopTimes?: StopTimes;
}

/** How long to wait after the first sign of the end (exit, end of output, broken input) for the others. */
const lingerMs = 1_000;

export class StdioTransport extends ChannelBase implements Transport {
  readonly #options: StdioOptions;
  readonly #limits: StdioLimits;
  readonly #linger = new MutableDisposable<Disposable>();
  #state: 'idle' | 'starting' | 'open' | 'closed' = 'idle';
  #starting: Promise<ProcessTree> | undefined;
  #process: ProcessTree | undefined;
  #stopping: Promise<void> | undefined;
  #processEnd: ProcessEnd | undefined;
  #isOutputOver = false;
  #isErrorOver = false;
  /** Lines for the next write. */
  #outbox = '';

  constructor(options: StdioOptions) {
    super();
    this.#options = options;
    this.#limits = { ...defaultStdioLimits, ...options.limits };
  }

  async start(signal: AbortSignal): Promise<void> {
    const { command, stopTimes = defaultStopTimes } = this.#options;
    if (this.#state !== 'idle') {
      throw new McpError('closed', t('"{0}" was already started or closed', command));
    }
    if (signal.aborted) {
      throw abortedError(signal, `Starting "${command}"`);
    }
    this.#state = 'starting';
    this.#starting = startProcess(this.#options, stopTimes);
    this.#process = await this.#starting;
    this.#listen(this.#process);
    if (this.#state !== 'starting') {
      throw this.#closedError();
    }
    if (signal.aborted) {
      await this.close();
      throw abortedError(signal, `Starting "${command}"`);
    }
    this.#state = 'open';
  }

  send(message: RpcMessage | RpcReplyBatch): Promise<void> | undefined {
    if (this.#state !== 'open') {
      return Promise.reject(this.#closedError());
    }
    const line = JSON.stringify(message); // escapes every newline inside (STDIO-03)
    const unsent = this.#outbox.length + (this.#process?.stdin.writableLength ?? 0);
    if (unsent > 0 && unsent + line.length > this.#limits.maxUnsentBytes) {
      const text = t('The server does not read its input: {0} bytes are waiting for it', unsent);
      this.#close({ kind: 'failed', error: new McpError('closed', text) });
      return Promise.reject(this.#closedError());
    }
    if (this.#outbox === '') {
      // Runs after all pending promise callbacks, so that the messages they send share one write.
      process.nextTick(this.#flush);
    }
    this.#outbox += `${line}\n`;
    return undefined;
  }

  async close(): Promise<void> {
    this.#close({ kind: 'requested' });
    await this.#stopping;
  }

  #listen(server: ProcessTree): void {
    const messages = new MessageLines(
      {
        message: (message, batch) => {
          if (this.#state !== 'closed') {
            this.deliver(message, batch);
          }
        },
        problem: (text, line) =>
          this.diagnosed.fire({ level: 'warn', source: 'stdout', text, line }),
      },
      this.#limits,
    );
    server.stdout.on('data', (chunk: Buffer) => messages.push(chunk));
    server.stdout.on('error', (error) => this.note('debug', `Standard output: ${error.message}`));
    server.stdout.once('close', () => {
      messages.end();
      this.#isOutputOver = true;
      this.#considerEnd();
    });

    const lines = new StderrLines((text) =>
      this.diagnosed.fire({ level: 'info', source: 'stderr', text }),
    );
    server.stderr.on('data', (chunk: Buffer) => lines.push(chunk));
    server.stderr.on('error', (error) => this.note('debug', `Standard error: ${error.message}`));
    server.stderr.once('close', () => {
      lines.end();
      this.#isErrorOver = true;
      this.#considerEnd();
    });

    server.stdin.on('error', (error) => {
      this.note('debug', `The server closed its standard input (${error.message})`);
      this.#considerEnd();
    });
    void this.#noteEnd(server);
  }

  async #noteEnd(server: ProcessTree): Promise<void> {
    const end = await server.ended;
    this.#processEnd =
      end.kind === 'error'
        ? { kind: 'error', error: await describeStartFailure(end.error, this.#options) }
        : end;
    this.#considerEnd();
  }

  /**
   * Exit, end of output and broken input come in any order. The exit is the reason to report; it is
   * reported after the last message and the last line of standard error.
   */
  #considerEnd(): void {
    if (this.#state === 'closed') {
      return;
    }
    if (this.#processEnd !== undefined && this.#isOutputOver && this.#isErrorOver) {
      this.#close(this.#endReason());
      return;
    }
    this.#linger.value = after(lingerMs, () => this.#close(this.#endReason()));
  }

  #endReason(): CloseReason {
    const end = this.#processEnd;
    switch (end?.kind) {
      case undefined:
        return {
          kind: 'ended',
          detail: this.#isOutputOver
            ? t('closed its standard output')
            : t('closed its standard input'),
        };
      case 'exit':
        return ended(t('exited with code {0}', end.code), String(end.code));
      case 'signal':
        return ended(t('killed by {0}', end.name), end.name);
      case 'error':
        return { kind: 'failed', error: end.error };
    }
  }

  #close(reason: CloseReason): void {
    if (this.#state === 'closed') {
      return;
    }
    this.#flush();
    this.#state = 'closed';
    this.#linger.dispose();
    if (reason.kind !== 'requested') {
      this.tellClose(reason);
    }
    this.#stopping = this.#stop(reason);
    this.#stopping.catch(onUnexpectedError);
  }

  async #stop(reason: CloseReason): Promise<void> {
    const server = await this.#starting?.catch(() => undefined);
    const left = (await server?.stop()) ?? [];
    if (left.length > 0) {
      this.note('warn', `Could not end these processes of the server: ${left.join(', ')}`);
    }
    if (reason.kind === 'requested') {
      // Not earlier: what the server says while it exits belongs in the log.
      this.tellClose(reason);
    }
  }

  readonly #flush = (): void => {
    const text = this.#outbox;
    this.#outbox = '';
    if (text !== '' && this.#process?.stdin.writable === true) {
      this.#process.stdin.write(text);
    }
  };

  #closedError(): McpError {
    return new McpError('closed', t('The connection to "{0}" is not open', this.#options.command));
  }
}

/** @param code exit code or signal */
function ended(detail: string, code: string): CloseReason {
  return { kind: 'ended', detail, exit: Object.assign(new Error(detail), { code }) };
}
