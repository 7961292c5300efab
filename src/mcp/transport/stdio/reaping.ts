/**
 * The work of the reaper: it reads from a pipe which process trees are in use, `+PID` and `-PID`, one per
 * line, and ends those that are left when the pipe breaks. The same break ends the input of the servers;
 * they get the time of an ordinary stop before force is used.
 */
import { groupExists, processExists } from './processTree.ts';
import { type StopTimes, TreeEnding } from './treeEnding.ts';

/** The trees in use, as reported so far. */
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
