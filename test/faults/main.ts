/**
 * The command `npm run test:faults`: every fault on every channel, and a table of what became of calls and servers in
 * test-results/faults.md.
 *   npm run test:faults [-- --only TEXT]     TEXT is part of a transport, revision or fault
 */
import { parseArgs } from 'node:util';
import { settlesWithin } from '../../src/base/async.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { ownProcesses } from './processes.ts';
import { outcomesOf, toTable, writeTable } from './table.ts';
import { allTrials, runTrials } from './trials.ts';

/** What is promised for the end of a server. */
const orphanMs = 10_000;

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const trials = allTrials.filter(({ transport, revision, fault }) =>
  `${transport} ${revision} ${fault}`.includes(values.only),
);
let unhandled = 0;
process.on('unhandledRejection', (reason) => {
  unhandled += 1;
  process.stderr.write(`unhandled rejection: ${String(reason)}\n`);
});

const results = await runTrials(trials, 4, (result) => {
  const { transport, revision, fault, settledMs, recovery, defects } = result;
  const verdict = defects.length === 0 ? '' : `  DEFECT: ${defects.join('; ')}`;
  process.stdout.write(
    `${transport}, ${revision}, ${fault}: ${outcomesOf(result)} after ${Math.round(settledMs)} ms, used again ${recovery}${verdict}\n`,
  );
});
const defective = results.filter(({ defects }) => defects.length > 0).length;
await settlesWithin(
  waitUntil('the end of all processes', () => ownProcesses() === 0, orphanMs),
  orphanMs,
);
const orphans = ownProcesses();
const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20);
const total = `${results.length} trials, ${results.length * 3} calls, ${defective} trials with defects, ${unhandled} unhandled rejections, ${orphans} orphans, ${megabytes} MB at the end.`;
const file = writeTable(
  'faults.md',
  `# Faults and what became of them\n\n${total}\n\n${toTable(results)}`,
);
process.stdout.write(`${total}\n${file}\n`);
process.exitCode = defective + unhandled + orphans > 0 ? 1 : 0;
