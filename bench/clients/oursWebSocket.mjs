// src/mcp over a WebSocket: a bundle of its own, since the extension loads the package ws late, too.
import { WebSocketTransport } from '../../src/mcp/transport/webSocket/webSocket.ts';
import { erasFor, open } from './ours.mjs';

export function connectWebSocket(address, era) {
  const connect = () => new WebSocketTransport({ url: new URL(address), headers: {} });
  return open([{ label: 'WebSocket', wire: 'pipe', eras: erasFor(era), connect }]);
}
