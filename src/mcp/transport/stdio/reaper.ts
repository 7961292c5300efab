/**
 * A small process that outlives this one by seconds and ends the process trees that are left: after a
 * `kill -9` no handler runs, but the pipe to the reaper breaks. It is started just before the first process that
 * it watches, so that it hears of each process in the turn in which that starts. One reaper serves all
 * servers. It runs while there are trees to watch and a moment longer, so that a restarted server finds it.
 *
 * Node would cost 40 MB and half of a server's start time just to wait for the end of a pipe. So a shell
 * waits, and starts Node when there is something to do: src/entries/reaper.ts. Windows
 * has no such shell; there Node waits itself.
 */
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { afterInBackground } from '../../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../../base/disposable.ts';
import { ownProcessOptions } from '../../ownProcess.ts';
import { childProcessModule } from './processTree.ts';
import { defaultStopTimes, reap } from './treeEnding.ts';

/** The program: a bundle next to the one that contains this file, or a source file. */
const program = import.meta.filename.endsWith('.cjs')
  ? path.join(import.meta.dirname, 'reaper.cjs')
  : path.join(import.meta.dirname, '../../../entries/reaper.ts');

/**
 * A shell script that stores its input until the end of input. It ignores signals before that: whoever ends
 * a whole session (a log-out, `docker stop`) still leaves it time to do its work.
 */
const waiting = `trap '' HUP INT TERM
while read -r line; do
  case $line in
    .) exit ;;
    0) all= ;;
    *) all="$all$line
" ;;
  esac
done
[ -n "$all" ] || exit
printf %s "$all" | "$0" "$1"`;
/** Tells the reaper that there is nothing left to do: for now (the shell cannot work that out), and for good. */
const nothing = '0\n';
const farewell = '.\n';
/** Milliseconds that it waits for the next server. Starting it takes as long as starting a small server. */
const lingerMs = 2_000;

/** How many times a lost reaper is replaced at once; after that, a new one comes with the next server. */
const maxReplacements = 3;

class Reaper {
  readonly #pids = new Set<number>();
  readonly #linger = new MutableDisposable<Disposable>();
  #process: ChildProcess | undefined;
  #replacements = 0;

  /** Call before starting a process: if the reaper started afterwards, nothing would watch the process meanwhile. */
  prepare(): void {
    if (this.#process === undefined) {
      this.#start();
    }
    if (this.#pids.size === 0) {
      this.#lingerOn(); // in case the process does not start
    }
  }

  /** Has the reaper end the tree led by `pid` if this process dies. Takes effect at once, not in a later turn. */
  watch(pid: number): void {
    this.#pids.add(pid);
    this.#linger.value = undefined;
    if (this.#process === undefined) {
      this.#start();
    } else {
      this.#tell(`+${pid}\n`);
    }
  }

  /** Call when the tree is gone, or belongs to nobody any more. */
  release(pid: number): void {
    if (!this.#pids.delete(pid)) {
      return;
    }
    const isLast = this.#pids.size === 0;
    this.#tell(`-${pid}\n${isLast ? nothing : ''}`);
    if (isLast) {
      this.#lingerOn();
    }
  }

  /** Ends the tree now. Watches it until nothing is left of it. Never rejects. */
  async endTree(pid: number): Promise<void> {
    await reap(pid, { ...defaultStopTimes, afterEndOfInputMs: 0 });
    this.release(pid);
  }

  #tell(text: string): void {
    this.#process?.stdin?.write(text);
  }

  #lingerOn(): void {
    this.#linger.value = afterInBackground(lingerMs, () => this.#end());
  }

  #end(): void {
    this.#process?.stdin?.end(farewell);
    this.#process = undefined;
    this.#replacements = 0;
  }

  #start(): void {
    const child = this.#spawn();
    child?.once('error', () => this.#onLost(child));
    child?.once('exit', () => this.#onLost(child));
    // Without free file descriptors there is not even a pipe.
    if (child?.stdin === undefined || child.stdin === null) {
      return;
    }
    child.stdin.on('error', () => this.#onLost(child));
    child.unref();
    // The pipe must not keep this process alive either.
    if ('unref' in child.stdin && typeof child.stdin.unref === 'function') {
      child.stdin.unref();
    }
    this.#process = child;
    this.#tell([...this.#pids].map((pid) => `+${pid}\n`).join(''));
  }

  #spawn(): ChildProcess | undefined {
    const isWindows = process.platform === 'win32';
    const command = [process.execPath, program] as const;
    const [file, ...args] = isWindows ? command : ['/bin/sh', '-c', waiting, ...command];
    try {
      return childProcessModule().spawn(file, args, {
        ...ownProcessOptions(),
        stdio: ['pipe', 'ignore', 'ignore'],
      });
    } catch {
      return undefined; // for instance no memory for it; the server still runs, as requested
    }
  }

  /** The reaper could not start, or was killed. */
  #onLost(child: ChildProcess): void {
    if (this.#process !== child) {
      return;
    }
    this.#process = undefined;
    if (this.#pids.size > 0 && this.#replacements < maxReplacements) {
      this.#replacements += 1;
      this.#start();
    }
  }
}

export const reaper = new Reaper();
