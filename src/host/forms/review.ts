/** All that was given in a form, taken together: the values, or what keeps them from being used. Pure. */
import type { FieldBase, FieldProblem, Parsed } from './form.ts';

/** What keeps a form from being used. */
export interface Incomplete {
  readonly kind: 'incomplete';
  /** By key. */
  readonly problems: ReadonlyMap<string, FieldProblem>;
  /** Rules of the schema that are about several fields, one sentence each. */
  readonly sentences: readonly string[];
}

/** @param check one sentence for each rule that the values break together; absent where the caller asks that */
export function reviewed<F extends FieldBase, V>(
  fields: readonly F[],
  answerTo: (field: F) => Parsed<V>,
  check: (values: Readonly<Record<string, V>>) => readonly string[] = () => [],
): { readonly kind: 'complete'; readonly values: Readonly<Record<string, V>> } | Incomplete {
  const entries: (readonly [string, V])[] = [];
  const problems = new Map<string, FieldProblem>();
  for (const field of fields) {
    const answer = answerTo(field);
    if (answer.kind === 'problem') {
      problems.set(field.key, answer.problem);
    } else if (answer.kind === 'value') {
      entries.push([field.key, answer.value]);
    }
  }
  const values = Object.fromEntries(entries);
  // What single fields are wrong about is told there.
  const sentences = problems.size > 0 ? [] : check(values);
  return problems.size === 0 && sentences.length === 0
    ? { kind: 'complete', values }
    : { kind: 'incomplete', problems, sentences };
}
