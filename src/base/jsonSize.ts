/** How large what was read from JSON is, without writing it as JSON again. */

/** Of a number, `true`, `null`: what they take in memory counts, not how they are written. */
const plainChars = 8;

/** Of JSON: about as many characters as it has as a text. Not counted further once they are more than `most`. */
export function jsonChars(value: unknown, most: number): number {
  if (typeof value === 'string') {
    return value.length + 2;
  }
  if (typeof value !== 'object' || value === null) {
    return plainChars;
  }
  let chars = 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && chars <= most; at++) {
      chars += jsonChars(value[at], most - chars) + 1;
    }
    return chars;
  }
  // No list of the names is made: lists of ten thousand tools are measured.
  for (const name in value) {
    if (chars > most) {
      break;
    }
    chars += name.length + 4 + jsonChars(Reflect.get(value, name), most - chars);
  }
  return chars;
}
