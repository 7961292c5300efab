/** Explains the close codes of a WebSocket (RFC 6455 section 7.4, and IANA's registry of close codes). */
import { McpError } from '../../errors.ts';
import type { CloseReason } from '../transport.ts';

/** Codes for a normal close: they report no error. */
const orderly: ReadonlyMap<number, string> = new Map([
  [1000, 'closed the connection'],
  [1001, 'is going away: it shuts down or restarts'],
  [1005, 'closed the connection without a reason'],
  [1012, 'restarts'],
]);

const disorderly: ReadonlyMap<number, string> = new Map([
  [1002, 'the server says that the WebSocket protocol was broken'],
  [1003, 'the server does not take messages of this kind'],
  [1006, 'it broke off without a close: the server crashed, or the network or a proxy cut it'],
  [1007, 'the server says that a message was not UTF-8'],
  [1008, 'the server refuses it by its rules: is a header for authorization missing or wrong?'],
  [1009, 'a message was too large for the server'],
  [1010, 'the server lacks an extension of the WebSocket protocol'],
  [1011, 'the server had an internal error'],
  [1013, 'the server is overloaded and wants us to try again later'],
  [1014, 'a gateway before the server got no valid answer from it'],
  [3000, 'the server asks for authorization'],
  [3003, 'the server forbids access'],
  [3008, 'the server gave up waiting'],
]);

/** @param words the server's own reason; may be empty */
export function toCloseReason(code: number, words: string): CloseReason {
  const said = words === '' ? '' : `: ${words}`;
  const order = orderly.get(code);
  if (order !== undefined) {
    return { kind: 'ended', detail: `${order} (${code}${said})` };
  }
  const what = disorderly.get(code) ?? 'the server closed it with a code of its own';
  return { kind: 'failed', error: new McpError('closed', `${what} (${code}${said})`) };
}
