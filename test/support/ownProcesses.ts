/** Processes that run: those that this one has started, and of any others. */
import { existsSync, readFileSync } from 'node:fs';
import { readProcessTable } from '../../src/mcp/transport/stdio/processTree.ts';

/** What is promised for the end of a server, in milliseconds. */
export const orphanMs = 10_000;

export function ownProcesses(): number {
  return readProcessTable().filter(
    ({ parentPid, isZombie }) => parentPid === process.pid && !isZombie,
  ).length;
}

/** Those of them that run. */
export function alive(pids: readonly number[]): readonly number[] {
  const live = readProcessTable().filter(({ isZombie }) => !isZombie);
  return pids.filter((pid) => live.some((one) => one.pid === pid));
}

/** The ids that processes have written into a file, a line each. */
export function pidsIn(file: string): readonly number[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [];
}
