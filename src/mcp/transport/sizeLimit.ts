/** The size limit of all channels, its texts, and the error reply for a message that is too large. */
import { rpcCodes } from '../errors.ts';
import type { RequestId, RpcMessage } from '../types/message.ts';

const mebi = 1024 * 1024;

/**
 * Default limit, in bytes or characters, of one message from a server, and of what waits for a server that
 * does not read.
 */
export const defaultMaxSize = 64 * mebi;

/**
 * `64 MiB`, `1000 bytes`.
 * @param hint how to change the limit: "which … raises"
 */
export function sizeText(limit: number, unit: 'bytes' | 'characters', hint?: string): string {
  const whole = unit === 'bytes' ? 'MiB' : 'Mi characters';
  const size = limit % mebi === 0 ? `${limit / mebi} ${whole}` : `${limit} ${unit}`;
  return hint === undefined ? size : `${size}, ${hint}`;
}

const id = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const outcome = String.raw`"(?:result|error)"\s*:`;
/** The members that may come before the large one, in either order. */
const idFirst = new RegExp(
  String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}\s*,\s*(?:${version}\s*,\s*)?${outcome}`,
  'u',
);
const outcomeFirst = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${outcome}`, 'u');
/** A member directly before the last bracket of a JSON text belongs to the outermost object. */
const idLast = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`, 'u');

/**
 * What replaces a reply that was not kept whole: an error reply, so that nobody waits in vain. Undefined if
 * beginning and end do not show that it was a reply.
 * @param reason completes "The answer …"
 */
export function errorReply(head: string, tail: string, reason: string): RpcMessage | undefined {
  const found = idFirst.exec(head) ?? (outcomeFirst.test(head) ? idLast.exec(tail) : null);
  if (found?.[1] === undefined) {
    return undefined;
  }
  const of: RequestId = JSON.parse(found[1]);
  const error = { code: rpcCodes.internalError, message: `The answer ${reason}` };
  return { jsonrpc: '2.0', id: of, error };
}
