/** The facts about a single message, in a form that is short enough to store. Never throws. */
import { inspectorLimits } from './seenMessage.ts';

export type Id = string | number;

/** Undefined for an invalid id. A very long one is cut, in the same way in every message. */
export function toId(value: unknown): Id | undefined {
  if (typeof value === 'string') {
    return shortened(value);
  }
  return typeof value === 'number' ? value : undefined;
}

/** Methods, ids and errors for storage: a server decides their length. */
export function shortened(text: string, maxChars: number = inspectorLimits.factChars): string {
  return text.length > maxChars ? `${beginning(text, maxChars)}…` : text;
}

/** Copied through bytes: a substring keeps the whole string in memory. */
export function beginning(text: string, chars: number): string {
  return Buffer.from(text.slice(0, chars), 'utf16le').toString('utf16le');
}

/** Bytes as JSON in UTF-8; 0 for a value that is not JSON (a cycle, a BigInt), which is not sent either. */
export function sizeOf(message: object): number {
  try {
    return Buffer.byteLength(JSON.stringify(message));
  } catch {
    return 0;
  }
}
