/** The limits of WebSocket: sizes and times that keep a bad server, or a dead connection, from holding memory or sockets. */
import type { MemoryAccount } from '../../../base/memory.ts';
import { defaultMaxSize } from '../sizeLimit.ts';

/**
 * A message that is so many times as large as its limit ends the connection: the package ws reads no further then.
 * What is between is received, and skipped.
 */
export const endless = 2;
/** Fragments of one message: with few bytes each takes more memory than they do. */
export const maxFragments = 16_384;

export interface WebSocketLimits {
  /** Bytes of one message from the server, after decompression. */
  readonly maxMessageBytes: number;
  /** Said with it: how to change it. */
  readonly limitHint?: string | undefined;
  /** Of the server: what it has no room for is refused. */
  readonly memory?: MemoryAccount | undefined;
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
