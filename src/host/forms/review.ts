/** All values of a form together, or the problems that prevent their use. Pure. */
import type { FieldBase, FieldProblem, Parsed } from './form.ts';

/** The problems of a form. */
export interface Incomplete {
  readonly kind: 'incomplete';
  /** By key. */
  readonly problems: ReadonlyMap<string, FieldProblem>;
  /** Violations of rules about several fields, one sentence each. */
  readonly sentences: readonly string[];
}

/** @param check returns one sentence for each rule that the values violate together; absent where the caller checks */
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
  // Problems of single fields are reported there.
  const sentences = problems.size > 0 ? [] : check(values);
  return problems.size === 0 && sentences.length === 0
    ? { kind: 'complete', values }
    : { kind: 'incomplete', problems, sentences };
}
