/**
 * One small process that outlives this one by seconds and ends what it could not end itself: after a
 * `kill -9` no handler runs, but the pipe to the reaper breaks. It is started just before the first process
 * that it is to watch, so that each is told to it in the turn in which it starts. It lives while there are
 * process trees to watch, one for all servers, and a moment longer: a server that is restarted finds it there.
 *
 * Only to wait for the end of a pipe, Node would cost 40 MB and half of the time that a server takes to
 * start. A shell waits, and starts Node when there is something to do: src/entries/reaper.ts, which is
 * reaping.ts. Windows has no such shell; there Node waits itself.
 */
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { afterInBackground } from '../../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../../base/disposable.ts';
import { ownProcessOptions } from '../../ownProcess.ts';
import { childProcessModule } from './childProcessModule.ts';
import { reap } from './reaping.ts';
import { defaultStopTimes } from './treeEnding.ts';

/** The program: a bundle beside the one that this file is part of, or a source file. */
const program = import.meta.filename.endsWith('.cjs')
  ? path.join(import.meta.dirname, 'reaper.cjs')
  : path.join(import.meta.dirname, '../../../entries/reaper.ts');

/**
 * Keeps what it is told until the end of its input. Not before: whoever ends a whole session (a log-out,
 * `docker stop`) still leaves it the time to do its work.
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
/** Tells the reaper that there is nothing left to do: for now (a shell cannot tell), and for good. */
const nothing = '0\n';
const farewell = '.\n';
/** Milliseconds that it waits for the next server. To start it takes as long as to start a small server. */
const lingerMs = 2_000;

/** A reaper that is lost is replaced this often; after that, with the next server. */
const maxReplacements = 3;

class Reaper {
  readonly #pids = new Set<number>();
  readonly #linger = new MutableDisposable<Disposable>();
  #process: ChildProcess | undefined;
  #replacements = 0;

  /** For whoever is about to start a process: to start the reaper afterwards would leave that time unwatched. */
  prepare(): void {
    if (this.#process === undefined) {
      this.#start();
    }
    if (this.#pids.size === 0) {
      this.#lingerOn(); // the process may not start
    }
  }

  /** Has the tree that `pid` leads ended should this process die: from now on, not from a later turn. */
  watch(pid: number): void {
    this.#pids.add(pid);
    this.#linger.value = undefined;
    if (this.#process === undefined) {
      this.#start();
    } else {
      this.#tell(`+${pid}\n`);
    }
  }

  /** The tree is gone, or is nobody's any more. */
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

  /** Ends the tree now. It is watched until nothing is left of it. Never rejects. */
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
    // Without file descriptors to be had there is not even a pipe.
    if (child?.stdin === undefined || child.stdin === null) {
      return;
    }
    child.stdin.on('error', () => this.#onLost(child));
    child.unref();
    // The pipe itself must not keep this process from ending, either.
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
      return undefined; // no memory for it, say: the server runs, which is what was asked for
    }
  }

  /** It could not start, or was killed. */
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
