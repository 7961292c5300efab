/** What can be told of one message by itself, in a form that is short enough to be kept. Never throws. */
import { inspectorLimits } from './seenMessage.ts';

export type Id = string | number;

/** Undefined for what is no id. One that is very long is cut, in every message alike. */
export function toId(value: unknown): Id | undefined {
  if (typeof value === 'string') {
    return shortened(value);
  }
  return typeof value === 'number' ? value : undefined;
}

/** Methods, ids and errors as they are kept: their length is up to the server. */
export function shortened(text: string, maxChars: number = inspectorLimits.factChars): string {
  return text.length > maxChars ? `${beginning(text, maxChars)}…` : text;
}

/** Through bytes: a part of a string holds all of it in memory. */
export function beginning(text: string, chars: number): string {
  return Buffer.from(text.slice(0, chars), 'utf16le').toString('utf16le');
}

/** Bytes as JSON in UTF-8; 0 for what is none: a cycle, a BigInt. It is not sent either. */
export function sizeOf(message: object): number {
  try {
    return Buffer.byteLength(JSON.stringify(message));
  } catch {
    return 0;
  }
}
