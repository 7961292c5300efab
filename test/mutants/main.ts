/**
 * The command `npm run test:mutants`: breaks one rule after the other in a copy of the project, and says which test
 * notices it. Fails when fewer than 95 % are noticed, or a mutant no longer fits the code.
 *   npm run test:mutants [-- --list] [-- NAME …]   names, or beginnings of names
 */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { mutants, placedIn } from './mutants.ts';
import { tryMutants, type Verdict } from './trial.ts';

const root = path.join(import.meta.dirname, '../..');
/** Of a hundred. */
const leastNoticed = 95;

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const placed = new Map((await placedIn(root)).map((mutant) => [mutant.name, mutant]));
const chosen = [...placed.values()].filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.startsWith(word)),
);
const misfits = await whatDoesNotFit();
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

/** What is wrong with the list itself, in all of it. */
async function whatDoesNotFit(): Promise<readonly string[]> {
  const rules = await readFile(path.join(root, 'docs/rules.md'), 'utf8');
  const promises = await readFile(path.join(root, 'SECURITY.md'), 'utf8');
  const names = new Set<string>();
  return mutants.flatMap((mutant) => {
    const { name, rule, find, replacement } = mutant;
    const isRule = rules.includes(`\n| ${rule} |`) || promises.includes(`# ${rule}\n`);
    const problems = [
      ...(names.has(name) ? ['the name is used twice'] : []),
      ...(isRule ? [] : [`there is no rule ${rule}`]),
      ...(find === replacement ? ['it changes nothing'] : []),
      ...(placed.has(name)
        ? []
        : [`its text is not once in ${mutant.file}, nor elsewhere: ${find}`]),
    ];
    names.add(name);
    return problems.map((problem) => `${name}: ${problem}`);
  });
}

function row(name: string, rule: string, text: string): string {
  return `${name.padEnd(34)} ${rule.padEnd(22)} ${text}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
