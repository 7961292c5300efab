/** WebSockets. */
import type { Changes } from '../mutant.ts';

export const webSocketMutants: Changes = {
  'src/mcp/transport/webSocket/webSocket.ts': {
    'no-subprotocol: WS-07': 'await this.#open([«subprotocol→»], headers, signal)',
    'large-frame-read: While it runs': '«        maxPayload: this.#limits.maxMessageBytes,\n→»',
    'frame-beyond-memory-read: Memory': 'if («held?.set(unread) === →»false) {',
    'binary-greeting-skipped: WS-02': 'if («this.#hasSpoken→true») {',
    'unread-frames-grow: While it runs':
      'if («unsent > 0 && unsent + text.length > this.#limits.maxUnsentBytes→false») {',
    'closed-without-handshake: WS-05': 'socket?.«close(1000→terminate(»)',
    'waits-for-the-other-side: WS-05': 'if («!isInTime→false») {',
    'token-not-in-opening: WS-06': '{ ...this.#headers, ...«headers, ...→»way.headers }',
    'refusal-without-reason: AUTH-34': `return «refusalError(this.#url, toRefusal(response, body), this.#headers→new McpError('closed', body»);`,
  },
  'src/mcp/transport/webSocket/webSocketEnd.ts': {
    'no-ping: WS-08': '«socket.ping();→»',
    'dead-socket-stays: WS-08': '«within(pongMs, onSilence→listen(»);',
    'busy-socket-dies: WS-08': '«bytesRead() > before→false» ? ',
    'every-close-is-order: WS-05': `const order = orderly.get(code)?.()«→ ?? 'closed'»;`,
  },
};
