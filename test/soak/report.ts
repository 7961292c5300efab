/** What a soak came to, as Markdown. */
import { describeGrowth, type Growth, toRows } from './flatness.ts';
import type { SoakResult } from './soak.ts';

export function toReport(
  { servers, samples, outcomes, disturbances, defects }: SoakResult & { readonly servers: number },
  growths: readonly Growth[],
): string {
  const minutes = ((samples.at(-1)?.atMs ?? 0) / 60_000).toFixed(1);
  const acts = samples.at(-1)?.acts ?? 0;
  return [
    '# Soak',
    '',
    `${servers} servers, ${minutes} minutes, ${acts} operations, ${defects.length} defects.`,
    '',
    ...growths.map((growth) => `- ${describeGrowth(growth)}`),
    ...defects.map((defect) => `- DEFECT: ${defect}`),
    '',
    ...toRows(samples),
    '',
    '| operation: outcome | times |',
    '| --- | --: |',
    ...toCounts(outcomes),
    '',
    '| done to servers | times |',
    '| --- | --: |',
    ...toCounts(disturbances),
    '',
  ].join('\n');
}

function toCounts(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([what, count]) => `| ${what} | ${count} |`);
}
