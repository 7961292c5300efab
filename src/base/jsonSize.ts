/** How large what was read from JSON is, without writing it as JSON again. */
import { isObject, isString } from './json.ts';

/** Of a number, `true`, `null`: what they take in memory counts, not how they are written. */
const plainChars = 8;

/** Of JSON: about as many characters as it has as a text. Not counted further once they are more than `most`. */
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
  // Lists of ten thousand tools are measured: no list of the names is made, and no call for each text.
  for (const name in value) {
    if (chars > most) {
      break;
    }
    const part = value[name];
    chars += name.length + 4 + (isString(part) ? part.length + 2 : jsonChars(part, most - chars));
  }
  return chars;
}
