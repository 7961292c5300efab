/** What the trials came to, as Markdown. */
import { describeMemory } from './memory.ts';
import type { TrialResult } from './trial.ts';

/** Counts equal outcomes: `2 × timeout, result`. */
export function outcomesOf({ calls }: TrialResult): string {
  const counts = new Map<string, number>();
  calls.forEach((call) => counts.set(call, (counts.get(call) ?? 0) + 1));
  return [...counts].map(([call, count]) => (count === 1 ? call : `${count} × ${call}`)).join(', ');
}

export function toTable(results: readonly TrialResult[]): string {
  const rows = results
    .toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))
    .map(
      (result) =>
        `| ${result.transport} | ${result.revision} | ${result.fault} | ${outcomesOf(result)} | ${(result.settledMs / 1_000).toFixed(1)} s | ${result.hung} | ${result.orphans} | ${result.rejections} | ${result.memory === undefined ? '' : describeMemory(result.memory)} | ${result.recovery} | ${result.defects.join('; ')} |`,
    );
  return [
    '| transport | revision | fault | three calls during it | all ended after | hung calls | orphans | unhandled rejections | memory | used again | defects |',
    '| --- | --- | --- | --- | --- | --: | --: | --: | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function keyOf({ transport, revision, fault }: TrialResult): string {
  return `${transport} ${revision} ${fault}`;
}
