// The end of a script: whatever it started is taken down again, in reverse order, on a normal end, on an error,
// on SIGINT, SIGTERM and SIGHUP, and when the npm that started it is gone. It does not know what is taken down.
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { printFailure } from './output.mjs';

/** @type {Set<() => unknown>} */
const cleanups = new Set();
/** @type {Set<() => void>} */
const watchers = new Set();
/** @type {Promise<never> | undefined} */
let ending;

/** Runs `look` when the end begins, while everything is still there. */
export function onEnding(look) {
  watchers.add(look);
}

/** Runs `cleanup` when the script ends, last added first. Returns a function that takes it back. */
export function defer(cleanup) {
  cleanups.add(cleanup);
  return () => cleanups.delete(cleanup);
}

/** Takes everything down and exits. A second call waits for the first. */
export function exitWith(code) {
  ending ??= end(code);
  return ending;
}

export function isEnding() {
  return ending !== undefined;
}

async function end(code) {
  for (const look of watchers) look();
  for (const cleanup of [...cleanups].toReversed()) {
    try {
      await cleanup();
    } catch (error) {
      printFailure(error);
    }
  }
  await written();
  process.exit(code);
}

/** What was written to a pipe is not there yet; a reader that is gone is not waited for. */
async function written() {
  const streams = [process.stdout, process.stderr].map(
    (stream) => new Promise((resolve) => void stream.write('', resolve)),
  );
  await Promise.race([Promise.all(streams), setTimeout(2_000)]);
}

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Ends the script on the usual signals; a second Ctrl+C does not wait any longer. */
export function endOnSignals() {
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      if (ending !== undefined && signal === 'SIGINT') process.exit(code);
      void exitWith(code);
    });
  }
  // Output to a terminal that is gone fails with EIO or EPIPE; the end must go on all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (process.channel) process.once('disconnect', () => void exitWith(129));
  if (process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') {
    // npm passes SIGINT and SIGTERM on, but dies of SIGHUP and SIGKILL without a word.
    const started = lineage();
    setInterval(() => {
      if (lineage() !== started) void exitWith(129);
    }, 1000).unref();
  }
}

/** The parent and the parent's parent: some shells stay between npm and its script, and outlive npm. */
function lineage() {
  const { ppid } = process;
  try {
    // "12 (name with ) and spaces) S 1 …": the second field after the last parenthesis is the parent.
    const stat = readFileSync(`/proc/${ppid}/stat`, 'utf8');
    return `${ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`;
  } catch {
    return String(ppid);
  }
}

/** Runs a whole script: its value is the exit code (default 0), and its failure is printed. */
export async function main(run) {
  endOnSignals();
  process.on('unhandledRejection', (error) => fail(error));
  process.on('uncaughtException', (error) => fail(error));
  try {
    await exitWith((await run()) ?? 0);
  } catch (error) {
    fail(error);
  }
}

function fail(error) {
  // What a closing browser or a killed child still reports is not the script's failure.
  if (ending === undefined) printFailure(error);
  void exitWith(1);
}
