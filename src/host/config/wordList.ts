/** A setting that is a list of known words. Unknown ones are reported and left out. */
import { isString } from '../../base/json.ts';
import { didYouMean, typeName } from './entryReader.ts';
import type { ConfigProblem, SettingName } from './serverConfig.ts';
import { nearest } from './suggest.ts';

/** @param value of the user's settings only */
export function parseWords<T extends string>(
  setting: SettingName,
  value: unknown,
  known: readonly T[],
  texts: {
    /** Completes "must be a list of …". */
    readonly things: string;
    /** Completes `"word" is not …`. */
    readonly thing: string;
  },
): { readonly words: readonly T[]; readonly problems: readonly ConfigProblem[] } {
  const scope = { kind: 'user' } as const;
  if (value === undefined || value === null) {
    return { words: [], problems: [] };
  }
  if (!Array.isArray(value)) {
    const message = `must be a list of ${texts.things}, not ${typeName(value)}`;
    return { words: [], problems: [{ scope, setting, message }] };
  }
  const words = new Set<T>();
  const problems: ConfigProblem[] = [];
  for (const given of value as readonly unknown[]) {
    const word = known.find((one) => one === given);
    if (word !== undefined) {
      words.add(word);
      continue;
    }
    const hint = isString(given)
      ? didYouMean(nearest(given, known), (near) => JSON.stringify(near))
      : '';
    const shown = isString(given) ? JSON.stringify(given) : typeName(given);
    problems.push({ scope, setting, message: `${shown} is not ${texts.thing}${hint}` });
  }
  return { words: [...words], problems };
}
