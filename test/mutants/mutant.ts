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

/**
 * Mutants of one file that the same tests should notice.
 * @param changes by `name: rule`: text of the file, with `«this→becomes that»` in it
 */
export function mutantsOf(
  file: string,
  tests: readonly string[],
  changes: Readonly<Record<string, string>>,
): readonly Mutant[] {
  return Object.entries(changes).map(([key, change]) => {
    const [name = '', rule = ''] = key.split(': ');
    const side = (which: '$1' | '$2'): string => change.replace(/«(.*?)→(.*?)»/su, which);
    return { name, rule, file, find: side('$1'), replacement: side('$2'), tests };
  });
}
