/** The size of a server's data, as seen by the code that holds the data. The host sets the limits. */
import { isObject, isString } from './json.ts';

/** The account of one server, for all holders of its data. */
export interface MemoryAccount {
  /** Why the last data was refused; completes "The answer …". */
  readonly refusal: string;
  /** Whether this many more bytes may be taken for a moment. */
  hasRoom(bytes: number): boolean;
  /** @param drop releases the data: dispensable data makes room for other data, the oldest first */
  hold(drop?: () => void): HeldMemory;
}

/** The memory of one item that grows and is released. */
export interface HeldMemory {
  /** @param bytes its total size now. @returns false if that is too much: the previous size stays */
  set(bytes: number): boolean;
}

/** Approximate heap size of a parsed value, in addition to the characters of its texts. */
const valueBytes = { plain: 8, text: 24, array: 32, object: 56, member: 16, newName: 150 } as const;
/** Limit of different names that are remembered, to tell known names from new ones. */
const maxKnownNames = 10_000;
const wide = /[^\0-\u00FF]/u;

/** Memory of a text's characters: two bytes each if any of them needs two. */
export function textBytes(text: string): number {
  return wide.test(text) ? text.length * 2 : text.length;
}

/** Approximate heap size of a value that was read from JSON. */
export function heapBytes(value: unknown, names: Set<string> = new Set()): number {
  if (isString(value)) {
    return valueBytes.text + textBytes(value);
  }
  if (Array.isArray(value)) {
    let bytes: number = valueBytes.array;
    for (const one of value) {
      bytes += valueBytes.plain + (typeof one === 'number' ? 0 : heapBytes(one, names));
    }
    return bytes;
  }
  if (!isObject(value)) {
    return valueBytes.plain;
  }
  let bytes: number = valueBytes.object;
  // Lists of ten thousand tools are measured: so no list of names is created.
  for (const name in value) {
    bytes += valueBytes.member + heapBytes(value[name], names);
    if (!names.has(name)) {
      bytes += valueBytes.newName + name.length * 2;
      if (names.size < maxKnownNames) {
        names.add(name);
      }
    }
  }
  return bytes;
}

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
