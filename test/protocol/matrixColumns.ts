/** The columns of the protocol matrix: transports and revisions that go together. */
import type { Revision } from '../../src/mcp/revisions.ts';
import { transports } from '../servers/matrix/matrixHosts.ts';
import type { Cell } from './matrixScenarios.ts';

const columns: readonly Revision[] = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
];

const all: readonly Cell[] = transports.flatMap((transport) =>
  columns.map((revision) => ({ transport, revision })),
);

/** Why a transport cannot carry a revision; undefined where it can. */
export function whyNot({ transport, revision }: Cell): string | undefined {
  return transport === 'HTTP+SSE' && revision === '2026-07-28'
    ? 'its stream belongs to one session, and this revision has none'
    : undefined;
}

export const cells = all.filter((cell) => whyNot(cell) === undefined);
export const impossibleCells = all.filter((cell) => whyNot(cell) !== undefined);
