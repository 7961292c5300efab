/** The processes that this one has started and that still run. */
import { readProcessTable } from '../../src/mcp/transport/stdio/processTree.ts';

/** What is promised for the end of a server, in milliseconds. */
export const orphanMs = 10_000;

export function ownProcesses(): number {
  return readProcessTable().filter(
    ({ parentPid, isZombie }) => parentPid === process.pid && !isZombie,
  ).length;
}
