// src/mcp over a WebSocket: a bundle of its own, since the extension loads the package ws late, too.
import { createWebSocketTransport } from '../../src/mcp/transport/webSocket/webSocket.ts';
import { erasFor, open } from './ours.mjs';

export function connectWebSocket(address, era) {
  const connect = () => createWebSocketTransport({ url: new URL(address), headers: {} });
  return open([{ label: 'WebSocket', wire: 'pipe', eras: erasFor(era), connect }]);
}
