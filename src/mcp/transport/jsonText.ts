/**
 * Parses JSON from a server, unless it is nested so deep that code that walks through it (or
 * JSON.stringify) would overflow the stack.
 */
import { type MemoryAccount, textBytes } from '../../base/memory.ts';
import { rpcCodes } from '../errors.ts';
import { isResponse, type RpcMessage } from '../types/message.ts';

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
const comma = 0x2c;
const backslash = 0x5c;

/** For a text that JSON.parse has accepted. Takes linear time; counts brackets outside of strings. */
export function isTooDeep(text: string, maxDepth = maxJsonDepth): boolean {
  return (
    text.length > maxDepth * 2 && // a shorter text cannot hold that many brackets
    mayBeDeeper(text, maxDepth) &&
    isDeeper(text, maxDepth)
  );
}

/**
 * Why a text that may not be JSON must not be parsed; completes "The answer …". Takes linear time and skips strings.
 */
export function objectionTo(text: string, memory?: MemoryAccount): string | undefined {
  if (text.length <= (memory === undefined ? maxJsonParts : uncountedChars)) {
    return undefined;
  }
  const parts = countParts(text, maxJsonParts);
  if (parts > maxJsonParts) {
    return tooManyParts;
  }
  return memory?.hasRoom(textBytes(text) + parts * partBytes) === false
    ? memory.refusal
    : undefined;
}

/** Counts up to `maxParts` + 1. */
function countParts(text: string, maxParts: number): number {
  let parts = 0;
  for (let at = 0; at < text.length && parts <= maxParts; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        parts += 1;
        break;
      case comma:
      case 0x5b: // [
      case 0x7b: // {
        parts += 1;
        break;
      default:
    }
  }
  return parts;
}

/**
 * Whether there is a position with more than `maxDepth` opening brackets before it and as many closing
 * brackets after it, including those in strings. Every JSON text that is nested deeper has one. Jumping
 * from bracket to bracket takes a quarter of the time of reading all characters, and shows that a list of a
 * hundred tools is flat.
 */
function mayBeDeeper(text: string, maxDepth: number): boolean {
  const place = placeOf(maxDepth + 1, '{', '[', text, 0);
  return place !== -1 && placeOf(maxDepth + 1, '}', ']', text, place + 1) !== -1;
}

/** Index of the nth bracket of either kind, from `start` on, counting from 1; -1 if there are fewer. */
function placeOf(
  number: number,
  brace: '{' | '}',
  bracket: '[' | ']',
  text: string,
  start: number,
): number {
  let nextBrace = text.indexOf(brace, start);
  let nextBracket = text.indexOf(bracket, start);
  for (let passed = 1; passed < number; passed++) {
    if (nextBrace !== -1 && (nextBracket === -1 || nextBrace < nextBracket)) {
      nextBrace = text.indexOf(brace, nextBrace + 1);
    } else if (nextBracket === -1) {
      return -1;
    } else {
      nextBracket = text.indexOf(bracket, nextBracket + 1);
    }
  }
  return nextBrace === -1 || nextBracket === -1
    ? Math.max(nextBrace, nextBracket)
    : Math.min(nextBrace, nextBracket);
}

function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > maxDepth) {
          return true;
        }
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      default:
    }
  }
  return false;
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

/** Not toLocaleString: loading its language tables takes 15 ms in each window. */
const tooManyParts = `holds more than ${maxJsonParts / 1_000_000} million values and names of members`;

/** Why a message that is nested too deep is skipped; completes "The answer …". */
export const tooDeep = `is nested deeper than ${maxJsonDepth} levels`;

/**
 * What replaces a message that is nested too deep: an error reply for a reply, so that nobody waits in
 * vain; nothing for other messages.
 */
export function shallow(message: RpcMessage): RpcMessage | undefined {
  if (!isResponse(message) || message.id === undefined || message.id === null) {
    return undefined;
  }
  const error = { code: rpcCodes.internalError, message: `The answer ${tooDeep}` };
  return { jsonrpc: '2.0', id: message.id, error };
}
