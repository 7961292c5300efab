/** What a server's data takes in memory, as those see it who hold it. How much that may be is the host's business. */
import { isObject, isString } from './json.ts';

/** Of one server, over all that holds data of it. */
export interface MemoryAccount {
  /** Why the last data was refused. Completes "The answer …". */
  readonly refusal: string;
  /** Whether so many bytes more may be taken now, for a moment. */
  hasRoom(bytes: number): boolean;
  /** @param drop lets go of it: what can be done without makes room for other data, the oldest first */
  hold(drop?: () => void): HeldMemory;
}

/** Of one thing that grows and goes. */
export interface HeldMemory {
  /** @param bytes that it takes now, in all. @returns false where that is too much: what was held before stays */
  set(bytes: number): boolean;
}

/** A parsed value takes about so much in the heap, besides the characters of its texts. */
const valueBytes = { plain: 8, text: 24, array: 32, object: 56, member: 16, newName: 150 } as const;
/** Different names that are told from new ones. */
const maxKnownNames = 10_000;
const wide = /[^\0-\u00FF]/u;

/** Of the characters of a text: two each where one of them needs it. */
export function textBytes(text: string): number {
  return wide.test(text) ? text.length * 2 : text.length;
}

/** What a value that was read from JSON takes in the heap, about. */
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
  // Lists of ten thousand tools are measured: no list of the names is made.
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
