/**
 * Starts one server process and ends it with everything that belongs to it: end of input first, then
 * by force (treeEnding.ts, STDIO-07). No tree outlives this process: what is left is killed when it
 * exits, and by the reaper (reaper.ts) when it is killed itself.
 *
 * The environment is taken as given. What goes through the pipes is stdio.ts's business.
 */
import type { ChildProcessWithoutNullStreams, SpawnOptionsWithoutStdio } from 'node:child_process';
import { describeStartFailure } from './startFailure.ts';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { settlesWithin, toError } from '../../../base/async.ts';
import { childProcessModule } from './childProcessModule.ts';
import { reaper } from './reaper.ts';
import { defaultStopTimes, type StopTimes, TreeEnding } from './treeEnding.ts';
import { findOnWindows } from './windowsStart.ts';

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process: nothing is added to it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /**
   * What the process reads from descriptor 3, to its end: for a tool that starts the server, and is not to have the server's
   * environment itself. Unlike arguments, nobody else on the machine can read it.
   */
  readonly handedOver?: string | undefined;
}

/** For output that is still in the pipes of a process that is gone, in milliseconds. */
const drainMs = 500;

export type ProcessEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly name: string }
  /** Windows only: the command turned out to be missing after its shell had started. */
  | { readonly kind: 'error'; readonly error: Error };

export interface ServerProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process itself is gone; its children may live on. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Ends the whole tree. Resolves with the ids of processes that could not be ended. */
  stop(): Promise<readonly number[]>;
  /** Kills the whole tree without waiting for anything. For the moment when this process exits. */
  killNow(): void;
}

/** @throws McpError `unreachable` with what was searched and what may help (STDIO-10). */
export async function startProcess(
  options: ProcessOptions,
  times: StopTimes = defaultStopTimes,
): Promise<ServerProcess> {
  const isWindows = process.platform === 'win32';
  try {
    // Windows needs help with .cmd files and quoting; elsewhere cross-spawn does nothing.
    const { spawn } = isWindows ? (await import('cross-spawn')).default : childProcessModule();
    const command = isWindows ? await fileOnWindows(options) : options.command;
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
    // In this turn: from the next one on it could be left without anybody who knows of it.
    return new ProcessTree(child, pid, times);
  } catch (error) {
    throw await describeStartFailure(toError(error), options);
  }
}

function handOver({ stdio }: ChildProcessWithoutNullStreams, text: string | undefined): void {
  const [, , , pipe] = stdio;
  if (text !== undefined && pipe !== null && pipe !== undefined && 'end' in pipe) {
    pipe.on('error', () => undefined); // it ended before it had read all: its end says why
    pipe.end(text, () => pipe.destroy());
  }
}

/** Of a process that has no id. */
function failureOf(child: ChildProcessWithoutNullStreams): Promise<Error> {
  return new Promise((resolve) => child.once('error', resolve));
}

/** Beside what the options of a server say. */
export function spawnOptions(platform: NodeJS.Platform): SpawnOptionsWithoutStdio {
  return {
    stdio: 'pipe',
    shell: false,
    windowsHide: true,
    // A process group of its own (on Windows it would be a console window of its own).
    detached: platform !== 'win32',
  };
}

/** @throws like `spawn` for a program that is not there */
async function fileOnWindows({ command, env }: ProcessOptions): Promise<string> {
  const file = await findOnWindows(command, env, isFile);
  if (file === undefined) {
    throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' });
  }
  return file;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

const liveTrees = new Set<ServerProcess>();

function killLiveTrees(): void {
  for (const tree of liveTrees) {
    tree.killNow();
  }
}

function keepUntilGone(tree: ServerProcess): void {
  if (liveTrees.size === 0) {
    process.on('exit', killLiveTrees);
  }
  liveTrees.add(tree);
  reaper.watch(tree.pid);
}

function letGo(tree: ServerProcess): void {
  liveTrees.delete(tree);
  reaper.release(tree.pid);
  if (liveTrees.size === 0) {
    process.off('exit', killLiveTrees);
  }
}

class ProcessTree implements ServerProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
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
      this.pid,
      { hasEnded: () => this.#hasEnded, ended: this.ended },
      times,
    );
    keepUntilGone(this);
  }

  stop(): Promise<readonly number[]> {
    this.#stopping ??= this.#stop().finally(() => letGo(this));
    return this.#stopping;
  }

  killNow(): void {
    this.#ending.killNow();
  }

  async #stop(): Promise<readonly number[]> {
    this.stdin.end();
    const isGone = await this.#ending.isGoneWithin(this.#afterEndOfInputMs);
    const left = isGone ? [] : await this.#ending.end();
    await this.#drain();
    return left;
  }

  /** A daemon that the server left may hold the pipes open: they are not waited for without end. */
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
