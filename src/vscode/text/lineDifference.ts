/** How a text has changed, line by line. */
import { diffArrays } from 'diff';

/** Lines that may differ; texts that differ more are shown one after the other. */
const maxChanges = 1_000;

/** The lines that differ between two texts, in order, each after `- ` or `+ `. */
export function lineDifference(before: string, now: string): readonly string[] {
  const [a, b] = [before.split('\n'), now.split('\n')];
  const changes = diffArrays(a, b, { maxEditLength: maxChanges }) ?? [
    { removed: true, added: false, value: a },
    { removed: false, added: true, value: b },
  ];
  return changes
    .filter(({ removed, added }) => removed || added)
    .flatMap(({ removed, value }) => value.map((line) => `${removed ? '-' : '+'} ${line}`));
}
