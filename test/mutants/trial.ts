/** Tries mutants, several side by side, each in a copy of the project. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Mutant } from './mutant.ts';
import { ProjectCopy, type TestRun } from './projectCopy.ts';

export type Verdict =
  | { readonly kind: 'noticed'; readonly by: string }
  | { readonly kind: 'survived' }
  /** It says nothing: the tests fail without it, or do not run with it. */
  | { readonly kind: 'void'; readonly why: string };

/** For a test file without a mutant. */
const longestFileMs = 180_000;
const leastLimitMs = 20_000;

export async function tryMutants(
  mutants: readonly Mutant[],
  jobs: number,
  onVerdict: (mutant: Mutant, verdict: Verdict) => void,
): Promise<void> {
  const copies = await Promise.all(
    Array.from({ length: Math.min(jobs, mutants.length) }, () => ProjectCopy.make()),
  );
  try {
    const unchanged = new Map<string, TestRun>();
    const files = [...new Set(mutants.flatMap(({ tests }) => tests))];
    await share(files, copies, async (file, copy) => {
      unchanged.set(file, await copy.test(file, longestFileMs, undefined));
    });
    await share(mutants, copies, async (mutant, copy) => {
      const verdict = await copy.withMutant(mutant, () => judge(mutant, copy, unchanged));
      onVerdict(mutant, verdict);
    });
  } finally {
    await Promise.all(copies.map((copy) => copy.dispose()));
  }
}

/** Each copy takes the next item as soon as it is free. */
async function share<T>(
  items: readonly T[],
  copies: readonly ProjectCopy[],
  work: (item: T, copy: ProjectCopy) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    copies.map(async (copy) => {
      for (const item of left) {
        await work(item, copy);
      }
    }),
  );
}

async function judge(
  { tests, rule }: Mutant,
  copy: ProjectCopy,
  unchanged: ReadonlyMap<string, TestRun>,
): Promise<Verdict> {
  for (const file of tests) {
    const before = unchanged.get(file);
    if (before === undefined || before.failure !== undefined || before.passed === 0) {
      const why = before?.failure ?? before?.output ?? '';
      return { kind: 'void', why: `test/${file} fails without a mutant: ${why}` };
    }
    const limitMs = Math.max(leastLimitMs, before.ms * 3);
    for (const only of await choices(copy, file, rule)) {
      const run = await copy.test(file, limitMs, only);
      if (run.failure !== undefined || run.isTimedOut) {
        const what = run.failure ?? `did not end within ${Math.round(limitMs / 1_000)} s`;
        return { kind: 'noticed', by: `${file}: ${what}` };
      }
      if (run.passed === 0 && only === undefined) {
        return { kind: 'void', why: `test/${file} does not run: ${run.output}` };
      }
    }
  }
  return { kind: 'survived' };
}

/** Of a slow file the tests of the rule run first. */
async function choices(
  { folder }: ProjectCopy,
  file: string,
  rule: string,
): Promise<readonly (string | undefined)[]> {
  const place = path.join(folder, 'test', file);
  const text = await readFile(place, 'utf8').catch(() => ''); // a folder's tests have no text of their own
  const [id] = /^[A-Z]+-\d+/u.exec(rule) ?? [];
  const isNamed = id !== undefined && text.includes(id);
  return file.startsWith('protocol/') && isNamed ? [id, undefined] : [undefined];
}
