/**
 * The command `npm run test:mutants`: breaks one rule after the other in a copy of the project, and says which test
 * notices it. Fails when fewer than 95 % are noticed, or a mutant no longer fits the code.
 *   npm run test:mutants [-- --list] [-- NAME …]   names, or beginnings of names
 */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { misfitsIn, placedIn } from './mutants.ts';
import { tryMutants, type Verdict } from './trial.ts';

const root = path.join(import.meta.dirname, '../..');
/** Of a hundred. */
const leastNoticed = 95;

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const chosen = (await placedIn(root)).filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.startsWith(word)),
);
const misfits = await misfitsIn(root);
if (chosen.length === 0 || misfits.length > 0) {
  say(chosen.length === 0 ? 'No mutant has such a name; --list says which there are' : '');
  misfits.forEach(say);
  process.exitCode = 1;
} else if (values.list) {
  chosen.forEach(({ name, rule, file }) => say(row(name, rule, file)));
  say(`${chosen.length} mutants`);
} else {
  process.exitCode = (await run()) ? 0 : 1;
}

async function run(): Promise<boolean> {
  const verdicts: Verdict['kind'][] = [];
  const others: string[] = [];
  await tryMutants(chosen, availableParallelism(), ({ name, rule }, verdict) => {
    verdicts.push(verdict.kind);
    const line = row(name, rule, textOf(verdict));
    say(line);
    if (verdict.kind !== 'noticed') {
      others.push(line);
    }
  });
  const noticed = verdicts.filter((kind) => kind === 'noticed').length;
  say(`\n${noticed} of ${chosen.length} mutants noticed; at least ${leastNoticed} % must be`);
  others.forEach(say);
  return noticed * 100 >= chosen.length * leastNoticed && !verdicts.includes('void');
}

function textOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'noticed':
      return verdict.by;
    case 'survived':
      return 'SURVIVED';
    case 'void':
      return `NOT TRIED: ${verdict.why}`;
  }
}

function row(name: string, rule: string, text: string): string {
  return `${name.padEnd(34)} ${rule.padEnd(22)} ${text}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
