/**
 * Every scenario over every transport at every revision, with a server that does what the scenario needs.
 * What cannot exist is told with its reason, and nothing else is left out.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { connect } from '../../src/mcp/client/connect.ts';
import type { CloseReason, ServerChange } from '../../src/mcp/session/session.ts';
import type { LoggingMessage } from '../../src/mcp/types/methods.ts';
import { startHost, transports } from '../servers/matrix/matrixHosts.ts';
import { closedAfterTest } from '../support/closing.ts';
import { hello } from '../support/hello.ts';
import { cells, impossibleCells, whyNot } from './matrixColumns.ts';
import { answers, type Cell, type Scenario, scenarios } from './matrixScenarios.ts';

async function run(scenario: Scenario, cell: Cell): Promise<void> {
  const host = closedAfterTest(await startHost(cell.transport, cell.revision));
  const changes: ServerChange[] = [];
  const logs: LoggingMessage[] = [];
  const closes: CloseReason[] = [];
  const asked: string[] = [];
  const withdrawn: string[] = [];
  const features = answers(
    (question) => asked.push(question),
    (question) => withdrawn.push(question),
  );
  const { signal } = new AbortController();
  const session = closedAfterTest(await connect([host.binding], hello({ features }), signal));
  session.onDidChange((change) => changes.push(change));
  session.onDidLog((message) => logs.push(message));
  session.onDidClose((reason) => closes.push(reason));
  await scenario.run({ session, cell, changes, logs, closes, asked, withdrawn });
}

for (const cell of cells) {
  describe(`Matrix: ${cell.transport}, ${cell.revision}`, function () {
    this.timeout(60_000);
    for (const scenario of scenarios) {
      const reason = scenario.impossible?.(cell);
      if (reason === undefined) {
        it(scenario.name, () => run(scenario, cell));
      }
    }
  });
}

describe('Matrix: what cannot exist', () => {
  it('is this, and nothing else', () => {
    const impossible = cells.flatMap((cell) =>
      scenarios.flatMap(({ name, impossible: why }) => {
        const reason = why?.(cell);
        return reason === undefined
          ? []
          : [`${cell.transport}, ${cell.revision}, ${name.split(':')[0] ?? ''}: ${reason}`];
      }),
    );
    const noRequests = 'the server sends no requests';
    assert.deepEqual(
      impossible,
      transports.flatMap((transport) => [
        `${transport}, 2024-11-05, ELIC-02: elicitation came with 2025-06-18`,
        `${transport}, 2025-03-26, ELIC-02: elicitation came with 2025-06-18`,
        ...(transport === 'HTTP+SSE'
          ? []
          : ['CANC-03', 'PROG-05', 'CAP-03, CAP-05', 'BASE-08, BASE-09, TRAP-07'].map(
              (rules) => `${transport}, 2026-07-28, ${rules}: ${noRequests}`,
            )),
      ]),
    );
    assert.deepEqual(
      impossibleCells.map((cell) => `${cell.transport}, ${cell.revision}: ${whyNot(cell) ?? ''}`),
      ['HTTP+SSE, 2026-07-28: its stream belongs to one session, and this revision has none'],
    );
  });
});
