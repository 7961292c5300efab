/** WebSockets. */
import { mutantsOf } from '../mutant.ts';

const socket = ['protocol/webSocket.test.ts'];

export const webSocketMutants = [
  ...mutantsOf('src/mcp/transport/webSocket/webSocket.ts', socket, [
    [
      'no-subprotocol',
      'WS-07',
      'await this.#open([subprotocol], headers, signal)',
      'await this.#open([], headers, signal)',
    ],
    ['large-frame-read', 'While it runs', 'if (data.length > maxMessageBytes) {', 'if (false) {'],
    ['frame-beyond-memory-read', 'Memory', 'if (held?.set(unread) === false) {', 'if (false) {'],
    ['binary-greeting-skipped', 'WS-02', 'if (this.#hasSpoken) {', 'if (true) {'],
    [
      'unread-frames-grow',
      'While it runs',
      'if (unsent > 0 && unsent + text.length > this.#limits.maxUnsentBytes) {',
      'if (false) {',
    ],
    [
      'token-not-in-opening',
      'WS-06',
      '{ ...this.#headers, ...headers, ...way.headers }',
      '{ ...this.#headers, ...way.headers }',
      ['protocol/authChannels.test.ts', ...socket],
    ],
    ['closed-without-handshake', 'WS-05', 'socket?.close(1000)', 'socket?.terminate()'],
    ['waits-for-the-other-side', 'WS-05', 'if (!isInTime) {', 'if (false) {'],
    [
      'refusal-without-reason',
      'AUTH-34',
      'return refusalError(this.#url, toRefusal(response, body));',
      `return new McpError('closed', body);`,
      ['protocol/authChannels.test.ts', ...socket],
    ],
  ]),
  ...mutantsOf('src/mcp/transport/webSocket/webSocketHeartbeat.ts', socket, [
    ['no-ping', 'WS-08', 'socket.ping();', ''],
    ['dead-socket-stays', 'WS-08', 'within(pongMs, onSilence);', 'listen();'],
    ['busy-socket-dies', 'WS-08', 'bytesRead() > before ? ', 'false ? '],
  ]),
  ...mutantsOf('src/mcp/transport/webSocket/webSocketClose.ts', socket, [
    [
      'every-close-is-order',
      'WS-05',
      'const order = orderly.get(code);',
      `const order = orderly.get(code) ?? 'closed';`,
    ],
  ]),
];
