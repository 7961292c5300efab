/**
 * Starts one server process and ends it with its whole process tree: first by end of input, then by force
 * (treeEnding.ts, STDIO-07). No tree outlives this process by more than seconds: the reaper (reaper.ts) ends the rest when
 * it exits or is killed.
 *
 * Uses the environment as given. stdio.ts handles what goes through the pipes.
 */
import type { ChildProcessWithoutNullStreams, SpawnOptionsWithoutStdio } from 'node:child_process';
import { describeStartFailure } from './startFailure.ts';
import type { Readable, Writable } from 'node:stream';
import { settlesWithin, toError } from '../../../base/async.ts';
import { childProcessModule } from './processTree.ts';
import { reaper } from './reaper.ts';
import { defaultStopTimes, type StopTimes, TreeEnding } from './treeEnding.ts';
import { findOnWindows, isFile, isNative } from '../../windowsPrograms.ts';

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process: nothing is added. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /**
   * Text that the process reads from descriptor 3, to its end. For a tool that starts the server but must
   * not get the server's environment itself. Unlike arguments, nobody else on the machine can read it.
   */
  readonly handedOver?: string | undefined;
}

/** Milliseconds for output that is left in the pipes after the process has ended. */
const drainMs = 500;

export type ProcessEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly name: string }
  /** Windows only: the command turned out to be missing after its shell had started. */
  | { readonly kind: 'error'; readonly error: Error };

/** @throws McpError `unreachable` with what was searched and what may help (STDIO-10). */
export async function startProcess(
  options: ProcessOptions,
  times: StopTimes = defaultStopTimes,
): Promise<ProcessTree> {
  const isWindows = process.platform === 'win32';
  try {
    const command = isWindows ? await fileOnWindows(options) : options.command;
    // Windows needs help with .cmd files and their quoting.
    const { spawn } =
      isWindows && !isNative(command)
        ? (await import('cross-spawn')).default
        : childProcessModule();
    reaper.prepare();
    const child: ChildProcessWithoutNullStreams = spawn(command, options.args, {
      cwd: options.cwd,
      env: options.env,
      ...spawnOptions(process.platform),
      ...(options.handedOver !== undefined && { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] }),
    });
    const { pid } = child;
    if (pid === undefined) {
      throw await failureOf(child);
    }
    handOver(child, options.handedOver);
    // In the same turn of the event loop: from the next one on, nothing might own the process.
    return new ProcessTree(child, pid, times);
  } catch (error) {
    throw await describeStartFailure(toError(error), options);
  }
}

function handOver({ stdio }: ChildProcessWithoutNullStreams, text: string | undefined): void {
  const [, , , pipe] = stdio;
  if (text !== undefined && pipe !== null && pipe !== undefined && 'end' in pipe) {
    pipe.on('error', () => undefined); // it ended before it had read everything; its exit says why
    pipe.end(text, () => pipe.destroy());
  }
}

/** The error of a process without an id. */
function failureOf(child: ChildProcessWithoutNullStreams): Promise<Error> {
  return new Promise((resolve) => child.once('error', resolve));
}

/** Options in addition to those of the server. */
export function spawnOptions(platform: NodeJS.Platform): SpawnOptionsWithoutStdio {
  return {
    stdio: 'pipe',
    shell: false,
    windowsHide: true,
    // A process group of its own (on Windows this would open a console window).
    detached: platform !== 'win32',
  };
}

/** @throws like `spawn` if the program does not exist */
async function fileOnWindows({ command, env }: ProcessOptions): Promise<string> {
  const file = await findOnWindows(command, env, isFile);
  if (file === undefined) {
    throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' });
  }
  return file;
}

export class ProcessTree {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process itself has ended; its children may still run. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  readonly #ending: TreeEnding;
  readonly #afterEndOfInputMs: number;
  #hasEnded = false;
  #stopping: Promise<readonly number[]> | undefined;

  constructor(child: ChildProcessWithoutNullStreams, pid: number, times: StopTimes) {
    this.pid = pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.#afterEndOfInputMs = times.afterEndOfInputMs;
    this.ended = new Promise((resolve) => {
      const settle = (end: ProcessEnd): void => {
        this.#hasEnded = true;
        resolve(end);
      };
      child.once('exit', (code, signal) => {
        settle(
          signal === null ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', name: signal },
        );
      });
      child.on('error', (error) => settle({ kind: 'error', error }));
    });
    this.#ending = new TreeEnding(
      pid,
      { hasEnded: () => this.#hasEnded, ended: this.ended },
      times,
    );
    reaper.watch(pid);
  }

  /** Ends the whole tree. Resolves with the ids of processes that could not be ended. */
  stop(): Promise<readonly number[]> {
    this.#stopping ??= this.#stop().finally(() => reaper.release(this.pid));
    return this.#stopping;
  }

  async #stop(): Promise<readonly number[]> {
    this.stdin.end();
    const isGone = await this.#ending.isGoneWithin(this.#afterEndOfInputMs);
    const left = isGone ? [] : await this.#ending.end();
    await this.#drain();
    return left;
  }

  /** Waits for the pipes only for a time: a daemon started by the server may hold them open. */
  async #drain(): Promise<void> {
    const streams = [this.stdout, this.stderr];
    const isClosed = Promise.all(
      streams
        .filter((stream) => !stream.closed)
        .map((stream) => new Promise((resolve) => stream.once('close', resolve))),
    );
    await settlesWithin(isClosed, drainMs);
    for (const stream of streams) {
      stream.destroy();
    }
    this.stdin.destroy();
  }
}
