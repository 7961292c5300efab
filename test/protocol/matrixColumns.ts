/** The columns of the protocol matrix: transports and revisions, and the server of each. */
import type { Revision } from '../../src/mcp/revisions.ts';
import { type MatrixHost, startLegacyHost, transports } from '../servers/matrix/matrixHosts.ts';
import type { Cell } from './matrixScenarios.ts';

const columns: readonly Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

export const cells: readonly Cell[] = transports.flatMap((transport) =>
  columns.map((revision) => ({ transport, revision })),
);

export function startHost({ transport, revision }: Cell): Promise<MatrixHost> {
  return startLegacyHost(transport, revision);
}
