/** What a fuzz target is, and how one is run: seeded, so that whatever it finds can be had again. */
import * as fc from 'fast-check';

export interface Fuzz {
  readonly name: string;
  /** Of all cases, how many per cent are for this target: the slower one case is, the fewer. */
  readonly share: number;
  /** Throws, or rejects, for a case that shows a defect. */
  readonly property: fc.IRawProperty<unknown>;
}

export interface FuzzRun {
  readonly name: string;
  readonly cases: number;
  readonly ms: number;
  /** Absent when nothing was found; else the smallest case that shows it, and how to run it again. */
  readonly finding?: string;
}

export interface FuzzOptions {
  /** Over all targets. */
  readonly cases: number;
  readonly seed: number;
  /** Leads to one case of one target, as a finding names it. */
  readonly path?: string;
}

export async function runFuzz(fuzz: Fuzz, { cases, seed, path }: FuzzOptions): Promise<FuzzRun> {
  const numRuns = Math.ceil((cases * fuzz.share) / 100);
  const startedAt = performance.now();
  const details = await fc.check(fuzz.property, {
    numRuns,
    seed,
    ...(path !== undefined && { path }),
  });
  const run = { name: fuzz.name, cases: details.numRuns, ms: performance.now() - startedAt };
  if (!details.failed) {
    return run;
  }
  const again = `npm run test:fuzz -- --only ${fuzz.name} --seed ${seed} --path ${details.counterexamplePath}`;
  const report = await fc.asyncDefaultReportMessage(details);
  return { ...run, finding: `${report}\nAgain: ${again}` };
}
