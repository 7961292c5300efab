/** The limits of WebSocket: sizes and times that keep a bad server, or a dead connection, from holding memory or sockets. */
import { defaultMaxSize } from './sizeLimit.ts';

export interface WebSocketLimits {
  /** Bytes of one message from the server, after decompression. */
  readonly maxMessageBytes: number;
  /** Said with it: how to change it. */
  readonly limitHint?: string | undefined;
  /** Bytes that may wait for a server which does not read. */
  readonly maxUnsentBytes: number;
  /** Milliseconds of silence after which the server is sent a ping. */
  readonly pingAfterMs: number;
  /** Milliseconds that anything at all may take to come after that. */
  readonly pongMs: number;
  /** Milliseconds for the closing handshake. */
  readonly closeMs: number;
}

export const defaultWebSocketLimits: WebSocketLimits = {
  maxMessageBytes: defaultMaxSize,
  maxUnsentBytes: defaultMaxSize,
  // Proxies commonly cut what is silent for 60 s.
  pingAfterMs: 30_000,
  pongMs: 20_000,
  closeMs: 2_000,
};
