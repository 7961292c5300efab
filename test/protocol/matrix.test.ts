/** Every scenario over every transport at every revision where it can exist, with a server that does what it needs. */
import { connect } from '../../src/mcp/client/connect.ts';
import { revisions } from '../../src/mcp/revisions.ts';
import type { CloseReason, ServerChange } from '../../src/mcp/session/session.ts';
import type { LoggingMessage } from '../../src/mcp/types/methods.ts';
import { startHost } from '../servers/matrix/matrixHosts.ts';
import { closedAfterTest } from '../support/closing.ts';
import { hello } from '../support/hello.ts';
import { isWhole } from '../support/whole.ts';
import { answers, type Cell, cells, type Scenario, scenarios } from './matrixScenarios.ts';

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

/** Over stdio each cell starts a process for each scenario: the newest of each era, and the one with batches. */
function isChosen({ transport, revision }: Cell): boolean {
  return isWhole || transport !== 'stdio' || !['2024-11-05', '2025-06-18'].includes(revision);
}

for (const cell of cells.filter(isChosen)) {
  describe(`Matrix: ${cell.transport}, ${cell.revision}`, () => {
    for (const scenario of scenarios) {
      if (scenario.isPossible?.(revisions[cell.revision]) ?? true) {
        it(scenario.name, () => run(scenario, cell));
      }
    }
  });
}
