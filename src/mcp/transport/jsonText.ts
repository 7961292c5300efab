/**
 * JSON from a server → values, if it is not nested so deep that code which walks through it (and
 * JSON.stringify itself) would run out of stack.
 */
import { rpcCodes } from '../errors.ts';
import { isResponse, type RpcMessage } from '../rpc/message.ts';

/** Objects and arrays within each other. */
export const maxJsonDepth = 1_000;

const quote = 0x22;
const backslash = 0x5c;

/** Linear in the text; counts what is outside of strings. Any text may be asked about. */
export function isTooDeep(text: string, maxDepth = maxJsonDepth): boolean {
  if (text.length <= maxDepth * 2) {
    return false; // as many brackets do not fit into it
  }
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
