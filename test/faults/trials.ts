/** Which fault is tried on which channel. */
import type { Revision } from '../../src/mcp/revisions.ts';
import type { TransportName } from '../servers/matrix/matrixHosts.ts';
import {
  bodies,
  type Fault,
  isFlood,
  processFaults,
  socketFaults,
  statuses,
  streamFaults,
  tlsFaults,
} from './kinds.ts';
import { runTrial, type Trial, type TrialResult } from './trial.ts';

type Channel = Omit<Trial, 'fault'>;

const eras: readonly Revision[] = ['2025-11-25', '2026-07-28'];
const channels: readonly Channel[] = [
  ...(['stdio', 'Streamable HTTP', 'WebSocket'] as const).flatMap((transport) =>
    eras.map((revision) => ({ transport, revision })),
  ),
  { transport: 'HTTP+SSE', revision: '2025-11-25' },
];

const answers: readonly Fault[] = [
  ...statuses.map((status) => `status ${status}` as const),
  ...bodies,
];

function faultsOf(transport: TransportName): readonly Fault[] {
  switch (transport) {
    case 'stdio':
      return [...streamFaults, ...processFaults];
    case 'WebSocket':
      return [
        ...streamFaults,
        ...socketFaults,
        ...tlsFaults,
        // After its handshake, what HTTP says is a broken frame.
        ...answers.filter((answer) => !isFlood(answer)),
        'hugeFrame',
      ];
    case 'Streamable HTTP':
    case 'HTTP+SSE':
      return [...streamFaults, ...socketFaults, ...tlsFaults, ...answers];
  }
}

export const allTrials: readonly Trial[] = channels.flatMap((channel) =>
  faultsOf(channel.transport).map((fault) => ({ ...channel, fault })),
);

/** Each fault once, on one channel after the other. */
export const shortTrials: readonly Trial[] = [...new Set(allTrials.map(({ fault }) => fault))]
  .filter((fault) => !fault.startsWith('status') || isTelling(fault))
  .flatMap((fault, index) => {
    const possible = allTrials.filter((trial) => trial.fault === fault);
    const chosen = possible[index % possible.length];
    return chosen === undefined ? [] : [chosen];
  });

/** The statuses that mean something to the protocol. */
function isTelling(fault: Fault): boolean {
  return ['204', '302', '400', '404', '429', '500', '503'].some((status) => fault.endsWith(status));
}

/** Runs them, some at a time, but each flood alone, since its memory is measured; `onResult` is told of each. */
export async function runTrials(
  trials: readonly Trial[],
  atOnce: number,
  onResult: (result: TrialResult) => void,
): Promise<readonly TrialResult[]> {
  const results: TrialResult[] = [];
  const work = async (left: Trial[]): Promise<void> => {
    for (let trial = left.shift(); trial !== undefined; trial = left.shift()) {
      const result = await runTrial(trial);
      results.push(result);
      onResult(result);
    }
  };
  const many = trials.filter(({ fault }) => !isFlood(fault));
  await Promise.all(Array.from({ length: atOnce }, () => work(many)));
  await work(trials.filter(({ fault }) => isFlood(fault)));
  return results;
}
