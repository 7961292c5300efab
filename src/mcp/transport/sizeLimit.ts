/** The limit of size that all channels have, how one is told, and whose reply a message beyond it was. */
import { rpcCodes } from '../errors.ts';
import type { RequestId, RpcMessage } from '../types/message.ts';

const mebi = 1024 * 1024;

/**
 * Where nothing else is set: of one message from a server, and of what waits for a server that does not read. In bytes,
 * or characters.
 */
export const defaultMaxSize = 64 * mebi;

/**
 * `64 MiB`, `1000 bytes`.
 * @param hint what whoever set the limit has to say of changing it: "which … raises"
 */
export function sizeText(limit: number, unit: 'bytes' | 'characters', hint?: string): string {
  const whole = unit === 'bytes' ? 'MiB' : 'Mi characters';
  const size = limit % mebi === 0 ? `${limit / mebi} ${whole}` : `${limit} ${unit}`;
  return hint === undefined ? size : `${size}, ${hint}`;
}

const id = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const outcome = String.raw`"(?:result|error)"\s*:`;
/** The members that may stand before the large one, in either order. */
const idFirst = new RegExp(
  String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}\s*,\s*(?:${version}\s*,\s*)?${outcome}`,
  'u',
);
const outcomeFirst = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${outcome}`, 'u');
/** Directly before the last bracket of a JSON text is a member of the outermost object. */
const idLast = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`, 'u');

/**
 * What stands for a reply that was not kept whole: an error reply, so that nobody waits in vain for it.
 * Undefined where beginning and end do not tell that it was one.
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
