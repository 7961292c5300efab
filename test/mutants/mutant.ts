/** What a mutant is: one change of the code that breaks a rule. */

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
}

/** By file, then by `name: rule`: text of the file, with `«this→becomes that»` in it. */
export type Changes = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function mutantsOf(changes: Changes): readonly Mutant[] {
  return Object.entries(changes).flatMap(([file, ofFile]) =>
    Object.entries(ofFile).map(([key, change]) => {
      const [name = '', rule = ''] = key.split(': ');
      const side = (which: '$1' | '$2'): string => change.replace(/«(.*?)→(.*?)»/su, which);
      return { name, rule, file, find: side('$1'), replacement: side('$2') };
    }),
  );
}
