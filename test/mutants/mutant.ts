/** What a mutant is: one change of the code that breaks a rule, and the tests that should notice it. */

export interface Mutant {
  /** Short words, unique among all. */
  readonly name: string;
  /** An ID of docs/rules.md, or a heading of SECURITY.md. */
  readonly rule: string;
  /** Where the text was, in `src`. */
  readonly file: string;
  /** Occurs exactly once there, or else in one other file of `src`. */
  readonly find: string;
  readonly replacement: string;
  /** Files below `test`, the quickest first. */
  readonly tests: readonly string[];
}

type Change = readonly [
  name: string,
  rule: string,
  find: string,
  replacement: string,
  /** In place of those of the file. */
  tests?: readonly string[],
];

/** Mutants of one file that the same tests should notice. */
export function mutantsOf(
  file: string,
  tests: readonly string[],
  changes: readonly Change[],
): readonly Mutant[] {
  return changes.map(([name, rule, find, replacement, others]) => ({
    name,
    rule,
    file,
    find,
    replacement,
    tests: others ?? tests,
  }));
}
