/**
 * Which processes belong to a server, and how to signal them. POSIX: the process group that the server
 * leads, and all descendants of its members (a child may have left the group with setsid). A daemon that
 * init has adopted and that has a group of its own is not part of it.
 *
 * treeEnding.ts decides when to signal.
 */
import type * as childProcess from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { systemProgram } from '../../windowsPrograms.ts';

/** Loaded with the first process: a client of remote servers only never needs it. */
export function childProcessModule(): typeof childProcess {
  return process.getBuiltinModule('node:child_process');
}

export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** Dead, but not yet reaped by its parent. It holds nothing and cannot be signalled. */
  readonly isZombie: boolean;
}

/** Time limit for `ps` and `taskkill`, in milliseconds. */
const toolLimitMs = 5_000;

/** Reads one `/proc/<pid>/stat`: `pid (name) state ppid pgrp …`. The name may hold blanks and brackets. */
export function parseProcStat(text: string): ProcessEntry | undefined {
  const [, pid, state, parentPid, groupId] = /^(\d+) \(.*\) (\S) (\d+) (\d+)/su.exec(text) ?? [];
  return toEntry(pid, parentPid, groupId, state);
}

/** Reads one line of `ps -A -o pid=,ppid=,pgid=,stat=`. */
export function parsePsLine(line: string): ProcessEntry | undefined {
  const [pid, parentPid, groupId, state] = line.trim().split(/\s+/);
  return toEntry(pid, parentPid, groupId, state);
}

function toEntry(
  ...[pid, parentPid, groupId, state = '']: (string | undefined)[]
): ProcessEntry | undefined {
  const entry = {
    pid: Number(pid),
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    isZombie: /^[ZX]/u.test(state),
  };
  return entry.pid > 0 && entry.parentPid >= 0 && entry.groupId >= 0 ? entry : undefined;
}

/** The live members of the group `groupId`, the processes in `known`, and all live descendants of these. */
export function selectTree(
  table: readonly ProcessEntry[],
  groupId: number,
  known: ReadonlySet<number> = new Set(),
): readonly ProcessEntry[] {
  const children = Map.groupBy(table, (entry) => entry.parentPid);
  const found = new Map<number, ProcessEntry>();
  const pending = table.filter((entry) => entry.groupId === groupId || known.has(entry.pid));
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    if (!found.has(entry.pid)) {
      found.set(entry.pid, entry);
      pending.push(...(children.get(entry.pid) ?? []));
    }
  }
  return [...found.values()].filter((entry) => !entry.isZombie);
}

/** All visible processes of this machine. Empty if there is no process list. */
export function readProcessTable(): readonly ProcessEntry[] {
  if (process.platform === 'win32') {
    return [];
  }
  try {
    return process.platform === 'linux' ? readProc() : readPs();
  } catch {
    return []; // the group can still be signalled as a whole
  }
}

function readProc(): readonly ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
      } catch {
        return undefined; // it ended between the two reads
      }
    })
    .filter((entry) => entry !== undefined);
}

function readPs(): readonly ProcessEntry[] {
  const text = childProcessModule().execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], {
    encoding: 'utf8',
    timeout: toolLimitMs,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text
    .split('\n')
    .map(parsePsLine)
    .filter((entry) => entry !== undefined);
}

/** True while the group has a member, including zombies. */
export function groupExists(groupId: number): boolean {
  return signal(-groupId, 0);
}

/** True while there is a process with this id, including a zombie. */
export function processExists(pid: number): boolean {
  return signal(pid, 0);
}

/** Signals the group as a whole, and one by one the processes of `tree` that are outside of it. */
export function signalTree(
  tree: readonly ProcessEntry[],
  groupId: number,
  name: 'SIGTERM' | 'SIGKILL',
): void {
  signal(-groupId, name);
  for (const entry of tree) {
    if (entry.groupId !== groupId && entry.pid > 1 && entry.pid !== process.pid) {
      signal(entry.pid, name);
    }
  }
}

function signal(target: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, name);
  } catch (error) {
    // EPERM: the process exists, but runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Arguments for Windows' `taskkill`: kill this process and its descendants by force. */
export function taskkillArguments(pid: number): readonly string[] {
  return ['/PID', String(pid), '/T', '/F'];
}

const toolOptions = { windowsHide: true, stdio: 'ignore', timeout: toolLimitMs } as const;

/** Ends a process and its descendants on Windows. */
export function taskkill(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const file = systemProgram('taskkill.exe', process.env);
    const tool = childProcessModule().spawn(file, taskkillArguments(pid), toolOptions);
    // taskkill was not found, or the process is already gone: the caller checks.
    tool.once('error', () => resolve());
    tool.once('exit', () => resolve());
  });
}
