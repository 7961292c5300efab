/** Each fault on one channel; `npm run test:faults` has each on all of them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, connect } from 'node:net';
import { listen } from '../support/listening.ts';
import { inMegabytes, inUse } from '../support/memoryInUse.ts';
import { ownProcesses } from '../support/ownProcesses.ts';
import { writeResult } from '../support/testResults.ts';
import { turns, waitUntil } from '../support/waitUntil.ts';
import { FaultyLink } from './faultyLink.ts';
import { memoryBounds } from './memory.ts';
import { unhandledRejections } from './rejections.ts';
import { outcomesOf, toTable } from './table.ts';
import type { TrialResult } from './trial.ts';
import { runTrials, shortTrials } from './trials.ts';

describe('faults', function () {
  this.timeout(600_000);
  it('whatever breaks: every call ends, no answer is wrong, the server can be used again and stopped, nothing is left', async () => {
    const usedBefore = inUse();
    const rejectionsBefore = unhandledRejections();
    const results: TrialResult[] = [];
    await runTrials(shortTrials, 8, (result) => results.push(result));
    writeResult('faults-short.md', toTable(results));
    assert.equal(results.length, shortTrials.length);
    const defective = results.filter(({ defects }) => defects.length > 0);
    assert.deepEqual(
      defective.map(
        (one) =>
          `${one.transport}, ${one.revision}, ${one.fault}: ${outcomesOf(one)}; ${one.defects.join('; ')}`,
      ),
      [],
    );
    assert.equal(unhandledRejections(), rejectionsBefore);
    await waitUntil('the end of all processes', () => ownProcesses() === 0, 30_000);
    await turns();
    const kept = inUse() - usedBefore;
    assert.ok(kept < memoryBounds.keptByAll, `kept ${inMegabytes(kept)}`);
  });

  it('a fault that takes its time ends with its connection', async () => {
    const text = 'x'.repeat(100_000);
    const server = createServer((socket) => socket.end(text));
    const link = await FaultyLink.open(await listen(server));
    link.fault = 'slowLoris';
    const client = connect(link.port, '127.0.0.1');
    const [first]: unknown[] = await once(client, 'data');
    assert.equal(String(first).at(0), 'x');
    client.destroy();
    await link.close();
    server.close();
    await once(server, 'close');
  });
});
