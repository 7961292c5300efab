/**
 * The command `npm run test:faults`: every fault on every channel, and a table of what became of calls and servers in
 * test-results/faults.md; then all hostile loads at once. Limits of time are short, and nothing is faked. Whatever breaks, each call ends, no answer is
 * wrong, the server can be used again and stopped, and no process, handle or unhandled rejection is left.
 *   npm run test:faults [-- --only TEXT]     TEXT is part of a transport, revision or fault
 */
import { parseArgs } from 'node:util';
import { settlesWithin } from '../../src/base/async.ts';
import { leftOpen, openHandles } from '../support/leaks.ts';
import { inUse } from '../support/memoryInUse.ts';
import { orphanMs, ownProcesses } from '../support/ownProcesses.ts';
import { writeResult } from '../support/testResults.ts';
import { turns, waitUntil } from '../support/waitUntil.ts';
import { hostileLoads, runHostileLoads, unrefusedOf } from './hostileLoads.ts';
import { memoryBounds } from './memory.ts';
import { unhandledRejections } from './rejections.ts';
import { outcomesOf, toTable } from './table.ts';
import type { TrialResult } from './trial.ts';
import { allTrials, runTrials } from './trials.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const trials = allTrials.filter(({ transport, revision, fault }) =>
  `${transport} ${revision} ${fault}`.includes(values.only),
);
const usedBefore = inUse();
const handlesBefore = openHandles();

const results = await runTrials(trials, 4, (result) => {
  const { transport, revision, fault, settledMs, recovery, defects } = result;
  const verdict = defects.length === 0 ? '' : `  DEFECT: ${defects.join('; ')}`;
  process.stdout.write(
    `${transport}, ${revision}, ${fault}: ${outcomesOf(result)} after ${Math.round(settledMs)} ms, used again ${recovery}${verdict}\n`,
  );
});
await settlesWithin(
  waitUntil('the end of all processes', () => ownProcesses() === 0, orphanMs),
  orphanMs,
);
const left = await leftOpen(handlesBefore, orphanMs);
await turns();
const hostile = await runHostileLoads(hostileLoads);
const unrefused = unrefusedOf(hostile);
process.stdout.write(
  `Hostile loads at once: ended with ${hostile.code}, ${hostile.heap} MB of heap at most, ${hostile.answered} of ${hostile.asked} calls beside them answered, not refused: ${unrefused.join(', ') || 'none'}\n${hostile.problems}`,
);
const sum = (count: (result: TrialResult) => number): number =>
  results.reduce((all, result) => all + count(result), 0);
const kept = inUse() - usedBefore;
const facts: readonly (readonly [string, number, number])[] = [
  ['hung calls', sum(({ hung }) => hung), 0],
  ['orphans', sum((result) => result.orphans) + ownProcesses(), 0],
  ['unhandled rejections', unhandledRejections(), 0],
  ['handles left open', left.length, 0],
  ['trials with defects', sum(({ defects }) => (defects.length > 0 ? 1 : 0)), 0],
  ['MB kept by all of it', Math.ceil(kept / 2 ** 20), memoryBounds.keptByAll / 2 ** 20],
  ['hostile loads that ended their host', hostile.code === 0 ? 0 : 1, 0],
  ['hostile loads that were not refused', unrefused.length, 0],
  ['calls beside them without an answer', hostile.asked - hostile.answered, 0],
  [
    'MB a flood took at most',
    Math.ceil(Math.max(0, ...results.map(({ memory }) => memory?.most ?? 0)) / 2 ** 20),
    memoryBounds.most / 2 ** 20,
  ],
];
const total = [
  `${results.length} faults on ${new Set(results.map(({ transport, revision }) => `${transport} ${revision}`)).size} channels, ${results.length * 3} calls.`,
  '',
  ...facts.map(([what, count, limit]) => `- ${what}: ${count}, at most ${limit}`),
  '',
].join('\n');
const file = writeResult(
  'faults.md',
  `# Faults and what became of them\n\n${total}\n${toTable(results)}`,
);
process.stdout.write(`${total}\n${file}\n`);
process.exitCode = facts.some(([, count, limit]) => count > limit) ? 1 : 0;
