/**
 * JSON from a server → values, if it is not nested so deep that code which walks through it (and
 * JSON.stringify itself) would run out of stack.
 */
import { type MemoryAccount, textBytes } from '../../base/memory.ts';
import { rpcCodes } from '../errors.ts';
import { isResponse, type RpcMessage } from '../types/message.ts';

/** Objects and arrays within each other. */
export const maxJsonDepth = 1_000;

/**
 * Values, names of members, objects and arrays of one text. To parse many small ones takes microseconds and a hundred
 * bytes each, most of all names that are all different: so many take a second, and as many as fit into 64 MiB would
 * stop the editor for half a minute.
 */
export const maxJsonParts = 2_000_000;

/** What each of them takes in memory when it is parsed, about, besides the characters of texts. */
const partBytes = 48;
/** What a shorter text takes is not worth counting. */
const uncountedChars = 64 * 1024;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/** Of a text that JSON.parse has taken. Linear in the text; counts what is outside of strings. */
export function isTooDeep(text: string, maxDepth = maxJsonDepth): boolean {
  return (
    text.length > maxDepth * 2 && // as many brackets do not fit into less
    mayBeDeeper(text, maxDepth) &&
    isDeeper(text, maxDepth)
  );
}

/**
 * Why a text that need not be JSON is not to be parsed; completes "The answer …". Linear in the text, and passes over
 * what is in strings.
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

/** Up to one more than `maxParts`. */
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
 * Whether there is a place with more than `maxDepth` opening brackets before it and as many closing ones after it,
 * those in strings counted, as there is in each JSON text that is nested deeper. To jump from bracket to bracket
 * takes a quarter of the time of reading all characters, and lists of a hundred tools are found to be flat by it.
 */
function mayBeDeeper(text: string, maxDepth: number): boolean {
  const place = placeOf(maxDepth + 1, '{', '[', text, 0);
  return place !== -1 && placeOf(maxDepth + 1, '}', ']', text, place + 1) !== -1;
}

/** Of the bracket with this number, 1 for the first, of either kind, from `start` on; -1 if there are fewer. */
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

/** The place of the quote that ends the string which begins at `start`; the end of the text if none does. */
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

/** Not by toLocaleString: the tables of languages take 15 ms to load, in each window. */
const tooManyParts = `holds more than ${maxJsonParts / 1_000_000} million values and names of members`;

const problem = `is nested deeper than ${maxJsonDepth} levels`;

/**
 * What stands for a message that is nested too deep: a reply becomes an error reply, so that nobody
 * waits in vain for it; nothing stands for the others.
 */
export function shallow(message: RpcMessage): RpcMessage | undefined {
  if (!isResponse(message) || message.id === undefined || message.id === null) {
    return undefined;
  }
  const error = { code: rpcCodes.internalError, message: `The answer ${problem}` };
  return { jsonrpc: '2.0', id: message.id, error };
}

/** For the log. */
export const tooDeepText = `Skipped a message of the server that ${problem}`;
