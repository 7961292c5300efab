/** The processes that this one has started and that still run. */
import { readProcessTable } from '../../src/mcp/transport/processTree.ts';

export function ownProcesses(): number {
  return readProcessTable().filter(
    ({ parentPid, isZombie }) => parentPid === process.pid && !isZombie,
  ).length;
}
