/**
 * What the reaper does: it reads from a pipe which process trees are somebody's, `+PID` and `-PID`, one
 * a line, and ends those that are left when the pipe breaks. The servers have noticed the same break as
 * the end of their input, and get the time of an ordinary stop before force is used.
 */
import { groupExists, processExists } from './processTree.ts';
import { type StopTimes, TreeEnding } from './treeEnding.ts';

/** Which trees are somebody's, as far as it was told. */
export class WatchedTrees {
  readonly #pids = new Set<number>();
  #rest = '';

  /** The ids of the processes that lead them. */
  get pids(): readonly number[] {
    return [...this.#pids];
  }

  /** Takes the next piece of what is told; a line may come in several. What is no such line counts for nothing. */
  take(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const pid = /^[+-]\d+$/u.test(line) ? Number(line.slice(1)) : 0;
      if (line.startsWith('-')) {
        this.#pids.delete(pid);
      } else if (pid > 1) {
        this.#pids.add(pid); // 0 and 1 would mean our own group, and everybody
      }
    }
  }
}

/** Ends the tree that `pid` leads, unless it ends by itself in time. Never rejects. */
export async function reap(pid: number, times: StopTimes): Promise<void> {
  const isWindows = process.platform === 'win32';
  if (!isWindows && !groupExists(pid)) {
    return;
  }
  // Nobody tells us of the leader's end; where there are groups, the group says enough.
  const ending = new TreeEnding(pid, { hasEnded: () => !isWindows || !processExists(pid) }, times);
  if (!(await ending.isGoneWithin(times.afterEndOfInputMs))) {
    await ending.end();
  }
}
