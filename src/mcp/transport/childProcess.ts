/**
 * Starts one server process and ends it with everything that belongs to it: end of input, SIGTERM,
 * SIGKILL (STDIO-07). No tree outlives this process: what is left is killed when it exits.
 *
 * The environment is taken as given. What goes through the pipes is stdio.ts's business.
 */
import { type ChildProcessWithoutNullStreams, spawn as spawnDirectly } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { delay, settlesWithin, toError } from '../../base/async.ts';
import {
  groupExists,
  type ProcessEntry,
  readProcessTable,
  selectTree,
  signalTree,
  taskkill,
  taskkillSync,
} from './processTree.ts';
import { describeStartFailure } from './startFailure.ts';

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process: nothing is added to it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** How long each step of a stop may take before the next one, in milliseconds. */
export interface StopTimes {
  readonly afterEndOfInputMs: number;
  readonly afterTermMs: number;
  readonly afterKillMs: number;
}

export const defaultStopTimes: StopTimes = {
  afterEndOfInputMs: 2_000,
  afterTermMs: 2_000,
  afterKillMs: 3_000,
};

/** Between two looks at what is left of a tree, in milliseconds: short at first, then longer. */
const firstPollMs = 10;
const longestPollMs = 200;
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
    const spawn = isWindows ? (await import('cross-spawn')).default.spawn : spawnDirectly;
    const child: ChildProcessWithoutNullStreams = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: options.env,
      stdio: 'pipe',
      shell: false,
      windowsHide: true,
      // A process group of its own (on Windows it would be a console window of its own).
      detached: !isWindows,
    });
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return new ProcessTree(child, times);
  } catch (error) {
    throw await describeStartFailure(toError(error), options);
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
}

function letGo(tree: ServerProcess): void {
  liveTrees.delete(tree);
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
  readonly #times: StopTimes;
  #hasEnded = false;
  #stopping: Promise<readonly number[]> | undefined;
  /** Descendants outside of the group, seen when force was first used: from then on they are ours to end. */
  #outsiders: ReadonlySet<number> = new Set();

  constructor(child: ChildProcessWithoutNullStreams, times: StopTimes) {
    if (child.pid === undefined) {
      throw new Error('A process that was started has an id'); // and 0 would mean our own group
    }
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.#times = times;
    keepUntilGone(this);
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
  }

  stop(): Promise<readonly number[]> {
    this.#stopping ??= this.#stop().finally(() => letGo(this));
    return this.#stopping;
  }

  killNow(): void {
    if (process.platform === 'win32') {
      if (!this.#hasEnded) {
        taskkillSync(this.pid);
      }
      return;
    }
    if (!this.#hasEnded || groupExists(this.pid) || this.#outsiders.size > 0) {
      signalTree(this.#readTree(), this.pid, 'SIGKILL');
    }
  }

  async #stop(): Promise<readonly number[]> {
    this.stdin.end();
    const left = (await this.#isGoneWithin(this.#times.afterEndOfInputMs)) ? [] : await this.#end();
    await this.#drain();
    return left;
  }

  /** Ends by force. Returns the ids of processes that are still there afterwards. */
  async #end(): Promise<readonly number[]> {
    if (process.platform === 'win32') {
      await taskkill(this.pid);
      return (await this.#isGoneWithin(this.#times.afterKillMs)) ? [] : [this.pid];
    }
    const tree = this.#readTree();
    this.#outsiders = new Set(
      tree.filter((entry) => entry.groupId !== this.pid).map((entry) => entry.pid),
    );
    signalTree(tree, this.pid, 'SIGTERM');
    if (await this.#isGoneWithin(this.#times.afterTermMs)) {
      return [];
    }
    return this.#kill();
  }

  /** Kills again and again: a process may have been forked between the look and the signal. */
  async #kill(): Promise<readonly number[]> {
    const deadline = performance.now() + this.#times.afterKillMs;
    for (;;) {
      if (this.#isGone()) {
        return [];
      }
      const tree = this.#readTree();
      signalTree(tree, this.pid, 'SIGKILL');
      if (performance.now() > deadline) {
        return tree.map((entry) => entry.pid);
      }
      await delay(firstPollMs * 2);
    }
  }

  #readTree(): readonly ProcessEntry[] {
    return selectTree(readProcessTable(), this.pid, this.#outsiders);
  }

  #isGone(): boolean {
    if (!this.#hasEnded) {
      return false;
    }
    if (process.platform === 'win32') {
      return true;
    }
    if (this.#outsiders.size === 0 && !groupExists(this.pid)) {
      return true;
    }
    const table = readProcessTable();
    if (table.length === 0) {
      return false; // there is no table to look at, and the group exists
    }
    // Dead processes that nobody collects (a container without an init) keep the group in existence.
    return selectTree(table, this.pid, this.#outsiders).length === 0;
  }

  async #isGoneWithin(ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    let pollMs = firstPollMs;
    while (!this.#isGone()) {
      const restMs = deadline - performance.now();
      if (restMs <= 0) {
        return false;
      }
      await Promise.race([
        delay(Math.min(pollMs, restMs)),
        ...(this.#hasEnded ? [] : [this.ended]),
      ]);
      pollMs = Math.min(pollMs * 2, longestPollMs);
    }
    return true;
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
