/** The size of a value that was read from JSON, without serializing it again. */
import { isObject, isString } from './json.ts';

/** For a number, `true`, `null`: their size in memory counts, not their text. */
const plainChars = 8;

/** The approximate length of the value as JSON text. Stops counting beyond `most`. */
export function jsonChars(value: unknown, most: number): number {
  if (isString(value)) {
    return value.length + 2;
  }
  let chars = 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && chars <= most; at++) {
      chars += jsonChars(value[at], most - chars) + 1;
    }
    return chars;
  }
  if (!isObject(value)) {
    return plainChars;
  }
  // Lists of ten thousand tools are measured: so no list of names is created, and no call is made per text.
  for (const name in value) {
    if (chars > most) {
      break;
    }
    const part = value[name];
    chars += name.length + 4 + (isString(part) ? part.length + 2 : jsonChars(part, most - chars));
  }
  return chars;
}
