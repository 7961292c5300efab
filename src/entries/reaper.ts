/**
 * The program of the reaper (mcp/transport/stdio/reaper.ts), a bundle that is run and never required. It reads until
 * the end of its input which processes to end, then ends them.
 */
import { defaultStopTimes, reap, WatchedTrees } from '../mcp/transport/stdio/treeEnding.ts';

// Ignores these signals, as the waiting shell does: see mcp/transport/stdio/reaper.ts.
for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => undefined);
}

const trees = new WatchedTrees();
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => trees.take(text));
process.stdin.once('close', () => {
  void Promise.all(trees.pids.map((pid) => reap(pid, defaultStopTimes)));
});
