/**
 * Ends the rest of a process tree by force, SIGTERM first and then SIGKILL, and reports when nothing of it
 * is left. Used by the process that started the tree and, after its death, by the reaper.
 *
 * processTree.ts decides which processes belong to a tree.
 */
import { delay } from '../../../base/async.ts';
import {
  groupExists,
  processExists,
  type ProcessEntry,
  readProcessTable,
  selectTree,
  signalTree,
  taskkill,
} from './processTree.ts';

/** Time limits for the steps of a stop, in milliseconds. */
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

/** The process that leads a tree, as far as the caller knows it. */
interface Leader {
  hasEnded(): boolean;
  /** Settles when it has ended; absent if nothing reports that. Never rejects. */
  readonly ended?: Promise<unknown>;
}

/** Milliseconds between two checks of what is left of a tree: short at first, then longer. */
const firstPollMs = 10;
const longestPollMs = 200;

export class TreeEnding {
  readonly #pid: number;
  readonly #leader: Leader;
  readonly #times: StopTimes;
  /** Descendants outside of the group, found when force was first used. They must be ended from then on. */
  #outsiders: ReadonlySet<number> = new Set();

  /** @param pid the leader's id, which is also the id of its group on POSIX */
  constructor(pid: number, leader: Leader, times: StopTimes) {
    this.#pid = pid;
    this.#leader = leader;
    this.#times = times;
  }

  /** Ends the tree by force. Resolves with the ids of processes that are still there. Never rejects. */
  async end(): Promise<readonly number[]> {
    if (process.platform === 'win32') {
      await taskkill(this.#pid);
      return (await this.isGoneWithin(this.#times.afterKillMs)) ? [] : [this.#pid];
    }
    const tree = this.#readTree();
    this.#outsiders = new Set(
      tree.filter((entry) => entry.groupId !== this.#pid).map((entry) => entry.pid),
    );
    signalTree(tree, this.#pid, 'SIGTERM');
    if (await this.isGoneWithin(this.#times.afterTermMs)) {
      return [];
    }
    return this.#kill();
  }

  async isGoneWithin(ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    let pollMs = firstPollMs;
    while (!this.#isGone()) {
      const restMs = deadline - performance.now();
      if (restMs <= 0) {
        return false;
      }
      const pause = delay(Math.min(pollMs, restMs));
      // A server that ends at once is not waited for any longer.
      await (this.#leader.hasEnded() ? pause : Promise.race([pause, this.#leader.ended ?? pause]));
      pollMs = Math.min(pollMs * 2, longestPollMs);
    }
    return true;
  }

  /** Kills repeatedly: a process may fork between the check and the signal. */
  async #kill(): Promise<readonly number[]> {
    const deadline = performance.now() + this.#times.afterKillMs;
    for (;;) {
      if (this.#isGone()) {
        return [];
      }
      const tree = this.#readTree();
      signalTree(tree, this.#pid, 'SIGKILL');
      if (performance.now() > deadline) {
        return tree.map((entry) => entry.pid);
      }
      await delay(firstPollMs * 2);
    }
  }

  #readTree(): readonly ProcessEntry[] {
    return selectTree(readProcessTable(), this.#pid, this.#outsiders);
  }

  #isGone(): boolean {
    if (!this.#leader.hasEnded()) {
      return false;
    }
    if (process.platform === 'win32') {
      return true;
    }
    if (this.#outsiders.size === 0 && !groupExists(this.#pid)) {
      return true;
    }
    const table = readProcessTable();
    if (table.length === 0) {
      return false; // there is no process list, and the group exists
    }
    // Zombies that nobody reaps (a container without an init) keep the group in existence.
    return selectTree(table, this.#pid, this.#outsiders).length === 0;
  }
}

/**
 * What the reaper reads from a pipe: which process trees are in use, `+PID` and `-PID`, one per line. It ends those that
 * are left when the pipe breaks. The same break ends the input of the servers; they get the time of an ordinary stop
 * before force is used.
 */
export class WatchedTrees {
  readonly #pids = new Set<number>();
  #rest = '';

  /** The ids of the processes that lead the trees. */
  get pids(): readonly number[] {
    return [...this.#pids];
  }

  /** Reads the next piece of input; a line may arrive in several pieces. Ignores malformed lines. */
  take(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const pid = /^[+-]\d+$/u.test(line) ? Number(line.slice(1)) : 0;
      if (line.startsWith('-')) {
        this.#pids.delete(pid);
      } else if (pid > 1) {
        this.#pids.add(pid); // 0 and 1 would mean our own group, and all processes
      }
    }
  }
}

/** Ends the tree led by `pid`, unless it ends by itself in time. Never rejects. */
export async function reap(pid: number, times: StopTimes): Promise<void> {
  const isWindows = process.platform === 'win32';
  if (!isWindows && !groupExists(pid)) {
    return;
  }
  // Nothing reports the leader's end here; on POSIX checking the group is enough.
  const ending = new TreeEnding(pid, { hasEnded: () => !isWindows || !processExists(pid) }, times);
  if (!(await ending.isGoneWithin(times.afterEndOfInputMs))) {
    await ending.end();
  }
}
