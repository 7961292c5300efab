/** Each fault on one channel; `npm run test:faults` has each on all of them. */
import assert from 'node:assert/strict';
import { waitUntil } from '../support/waitUntil.ts';
import { ownProcesses } from './processes.ts';
import { outcomesOf, toTable, writeTable } from './table.ts';
import type { TrialResult } from './trial.ts';
import { runTrials, shortTrials } from './trials.ts';

describe('faults', function () {
  this.timeout(600_000);

  it('whatever breaks: every call ends, no answer is wrong, the server can be used again and stopped, nothing is left', async () => {
    const results: TrialResult[] = [];
    await runTrials(shortTrials, 8, (result) => results.push(result));
    writeTable('faults-short.md', toTable(results));
    assert.equal(results.length, shortTrials.length);
    const defective = results.filter(({ defects }) => defects.length > 0);
    assert.deepEqual(
      defective.map(
        (one) =>
          `${one.transport}, ${one.revision}, ${one.fault}: ${outcomesOf(one)}; ${one.defects.join('; ')}`,
      ),
      [],
    );
    await waitUntil('the end of all processes', () => ownProcesses() === 0, 30_000);
  });
});
