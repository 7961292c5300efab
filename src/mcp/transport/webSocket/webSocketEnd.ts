/** How a WebSocket ends: in silence, or with a close code. */
import { t } from '../../../base/l10n.ts';
import type { WebSocket } from 'ws';
import { after } from '../../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../../base/disposable.ts';
import { McpError } from '../../errors.ts';
import type { WebSocketLimits } from '../limits.ts';
import type { CloseReason } from '../transport.ts';

/**
 * Detects a dead socket: after a silence it sends a ping, and a server that then sends nothing at all is gone. Ends when
 * disposed.
 * @param socket an open socket
 * @param bytesRead bytes received over its connection: a large message can take long, and delays the pong
 */
export function startHeartbeat(
  socket: WebSocket,
  bytesRead: () => number,
  { pingAfterMs, pongMs }: WebSocketLimits,
  onSilence: () => void,
): Disposable {
  const timer = new MutableDisposable<Disposable>();
  /** Calls `otherwise` if nothing arrives within `ms` milliseconds; otherwise starts again. */
  const within = (ms: number, otherwise: () => void): void => {
    const before = bytesRead();
    timer.value = after(ms, () => (bytesRead() > before ? listen() : otherwise()));
  };
  const listen = (): void =>
    within(pingAfterMs, () => {
      socket.ping();
      within(pongMs, onSilence);
    });
  listen();
  return timer;
}

/** Close codes of a normal close (RFC 6455 section 7.4, and IANA's registry): they report no error. */
const orderly: ReadonlyMap<number, () => string> = new Map([
  [1000, () => t('closed the connection')],
  [1001, () => t('is going away: it shuts down or restarts')],
  [1005, () => t('closed the connection without a reason')],
  [1012, () => t('restarts')],
]);

const disorderly: ReadonlyMap<number, () => string> = new Map([
  [1002, () => t('the server says that the WebSocket protocol was broken')],
  [1003, () => t('the server does not take messages of this kind')],
  [
    1006,
    () => t('it broke off without a close: the server crashed, or the network or a proxy cut it'),
  ],
  [1007, () => t('the server says that a message was not UTF-8')],
  [
    1008,
    () => t('the server refuses it by its rules: is a header for authorization missing or wrong?'),
  ],
  [1009, () => t('a message was too large for the server')],
  [1010, () => t('the server lacks an extension of the WebSocket protocol')],
  [1011, () => t('the server had an internal error')],
  [1013, () => t('the server is overloaded and wants us to try again later')],
  [1014, () => t('a gateway before the server got no valid answer from it')],
  [3000, () => t('the server asks for authorization')],
  [3003, () => t('the server forbids access')],
  [3008, () => t('the server gave up waiting')],
]);

/** @param words the server's own reason; may be empty */
export function toCloseReason(code: number, words: string): CloseReason {
  const said = words === '' ? '' : `: ${words}`;
  const order = orderly.get(code)?.();
  if (order !== undefined) {
    return { kind: 'ended', detail: `${order} (${code}${said})` };
  }
  const what = disorderly.get(code)?.() ?? t('the server closed it with a code of its own');
  return { kind: 'failed', error: new McpError('closed', `${what} (${code}${said})`) };
}
