/**
 * The limits of WebSocket: sizes and times that stop a bad server, or a dead connection, from holding
 * memory or sockets.
 */
import type { MemoryAccount } from '../../../base/memory.ts';
import { defaultMaxSize } from '../sizeLimit.ts';

/**
 * A message this many times its limit ends the connection: the package ws stops reading. A message between
 * limit and this is received, and skipped.
 */
export const endless = 2;
/** Fragments of one message: small ones take more memory than their bytes. */
export const maxFragments = 16_384;

export interface WebSocketLimits {
  /** Bytes of one message from the server, after decompression. */
  readonly maxMessageBytes: number;
  /** Part of the error message about the limit: how to change it. */
  readonly limitHint?: string | undefined;
  /** The server's memory account: data that does not fit is refused. */
  readonly memory?: MemoryAccount | undefined;
  /** Limit of bytes that wait for a server that does not read. */
  readonly maxUnsentBytes: number;
  /** Milliseconds of silence after which the server is sent a ping. */
  readonly pingAfterMs: number;
  /** Milliseconds after the ping in which anything at all must arrive. */
  readonly pongMs: number;
  /** Milliseconds for the closing handshake. */
  readonly closeMs: number;
}

export const defaultWebSocketLimits: WebSocketLimits = {
  maxMessageBytes: defaultMaxSize,
  maxUnsentBytes: defaultMaxSize,
  // Proxies commonly cut connections after 60 s of silence.
  pingAfterMs: 30_000,
  pongMs: 20_000,
  closeMs: 2_000,
};
