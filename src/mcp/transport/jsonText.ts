/**
 * Which texts of a server are not parsed: JSON nested so deep that code that walks through it (or JSON.stringify) would
 * overflow the stack, and JSON that takes too long or too much memory.
 */
import { type MemoryAccount, textBytes } from '../../base/memory.ts';

/** Limit of nested objects and arrays. */
export const maxJsonDepth = 1_000;

/**
 * Limit of values, member names, objects and arrays in one text. Parsing many small ones takes microseconds
 * and a hundred bytes each, most of all for member names that all differ. This many take a second; as many
 * as fit into 64 MiB would stop the editor for half a minute.
 */
export const maxJsonParts = 2_000_000;

/** Approximate memory of each when parsed, in addition to the characters of strings. */
const partBytes = 48;
/** Shorter texts are not counted. */
const uncountedChars = 64 * 1024;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Counts parts, up to {@link maxJsonParts} + 1, and levels of nested objects and arrays. Takes linear time and skips
 * strings. The size of a short text without many brackets does not matter.
 */
function sizeOf(text: string): { readonly parts: number; readonly depth: number } {
  let parts = 0;
  let depth = 0;
  let deepest = 0;
  const length = hasSize(text) ? text.length : 0;
  for (let at = 0; at < length && parts <= maxJsonParts; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        parts += 1;
        break;
      case 0x2c: // ,
        parts += 1;
        break;
      case 0x5b: // [
      case 0x7b: // {
        parts += 1;
        depth += 1;
        deepest = depth > deepest ? depth : deepest;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      default:
    }
  }
  return { parts, depth: deepest };
}

/** Counting brackets takes a quarter of the time of reading all characters, and shows that a page of tools is flat. */
function hasSize(text: string): boolean {
  let brackets = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      brackets += 1;
      if (brackets > maxJsonDepth) {
        return true;
      }
    }
  }
  return text.length > uncountedChars;
}

/** Why a text that may not be JSON must not be parsed; completes "The answer …". */
export function objectionTo(text: string, memory?: MemoryAccount): string | undefined {
  const { parts, depth } = sizeOf(text);
  if (parts > maxJsonParts) {
    // Not toLocaleString: loading its language tables takes 15 ms in each window.
    return `holds more than ${maxJsonParts / 1_000_000} million values and names of members`;
  }
  if (depth > maxJsonDepth) {
    return `is nested deeper than ${maxJsonDepth} levels`;
  }
  const isCounted = text.length > uncountedChars;
  return isCounted && memory?.hasRoom(textBytes(text) + parts * partBytes) === false
    ? memory.refusal
    : undefined;
}

/** Index of the quote that ends the string starting at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) {
      escapes += 1;
    }
    if (escapes % 2 === 0) {
      return end;
    }
  }
  return text.length;
}
