/**
 * The command `npm run test:fuzz`: 1,000,000 cases over all targets with a new seed, a table, and what was found.
 *   npm run test:fuzz [-- --cases N] [--seed N] [--only NAME] [--path PATH]
 */
import { parseArgs } from 'node:util';
import { type FuzzRun, runFuzz } from './fuzz.ts';
import { targets } from './targets.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string' },
    path: { type: 'string' },
  },
});
const { only, path } = values;
const seed = Number(values.seed);
const cases = Number(values.cases);
const chosen = targets.filter(({ name }) => only === undefined || name === only);
if (chosen.length === 0 || !Number.isInteger(seed) || !Number.isInteger(cases)) {
  throw new Error(
    `Targets: ${targets.map(({ name }) => name).join(', ')}; cases and seed are integers`,
  );
}

process.stdout.write(`seed ${seed}\n`);
const runs: FuzzRun[] = [];
for (const target of chosen) {
  const run = await runFuzz(target, { cases, seed, ...(path !== undefined && { path }) });
  const seconds = (run.ms / 1_000).toFixed(1);
  const verdict = run.finding === undefined ? 'nothing found' : 'FOUND';
  process.stdout.write(
    `${run.name.padEnd(16)}${String(run.cases).padStart(9)} cases ${seconds.padStart(7)} s  ${verdict}\n`,
  );
  runs.push(run);
}
const findings = runs.flatMap(({ name, finding }) =>
  finding === undefined ? [] : [`\n${name}: ${finding}`],
);
const total = runs.reduce((sum, run) => sum + run.cases, 0);
process.stdout.write(`${total} cases, ${findings.length} findings\n${findings.join('\n')}`);
process.exitCode = findings.length > 0 ? 1 : 0;
