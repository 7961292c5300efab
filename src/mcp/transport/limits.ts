/** The limits of the transports: sizes and times that stop a bad server, or a dead connection, from holding memory or sockets. */
import type { MemoryAccount } from '../../base/memory.ts';

const mebi = 1024 * 1024;

/** Default limit, in bytes, of one message from a server, and of what waits for a server that does not read. */
export const defaultMaxBytes = 64 * mebi;

/**
 * `64 MiB`, `1000 bytes`.
 * @param hint how to change the limit: "which … raises"
 */
export function sizeText(bytes: number, hint?: string): string {
  const size = bytes % mebi === 0 ? `${bytes / mebi} MiB` : `${bytes} bytes`;
  return hint === undefined ? size : `${size}, ${hint}`;
}

/** The limits of what a server sends, the same for all transports. */
export interface MessageLimits {
  /** Bytes of one message: a line, a JSON response, an event, a WebSocket message after decompression. */
  readonly maxMessageBytes: number;
  /** Part of the message about that limit: how to change it. */
  readonly limitHint?: string | undefined;
  /** The server's memory account: data that does not fit is refused. */
  readonly memory?: MemoryAccount | undefined;
}

export interface HttpLimits extends MessageLimits {
  /** Milliseconds in which a server must accept a message that has no reply. Requests have the peer's limits. */
  readonly messageMs: number;
  /** Milliseconds for the DELETE of a session; the server may be gone. */
  readonly deleteMs: number;
  /** Milliseconds for the rest of a response that nobody waits for any more. */
  readonly lingerMs: number;
  /** Milliseconds before a stream is reopened, if the server sets no time; doubled with each failure in a row. */
  readonly firstDelayMs: number;
}

export const defaultHttpLimits: HttpLimits = {
  maxMessageBytes: defaultMaxBytes,
  messageMs: 30_000,
  deleteMs: 2_000,
  lingerMs: 1_000,
  firstDelayMs: 1_000,
};

export interface StdioLimits extends MessageLimits {
  /** Limit of bytes that wait for a server that does not read. */
  readonly maxUnsentBytes: number;
}

export const defaultStdioLimits: StdioLimits = {
  maxMessageBytes: defaultMaxBytes,
  maxUnsentBytes: defaultMaxBytes,
};

export interface WebSocketLimits extends StdioLimits {
  /** Milliseconds of silence after which the server is sent a ping. */
  readonly pingAfterMs: number;
  /** Milliseconds after the ping in which anything at all must arrive. */
  readonly pongMs: number;
  /** Milliseconds for the closing handshake. */
  readonly closeMs: number;
}

export const defaultWebSocketLimits: WebSocketLimits = {
  ...defaultStdioLimits,
  // Proxies commonly cut connections after 60 s of silence.
  pingAfterMs: 30_000,
  pongMs: 20_000,
  closeMs: 2_000,
};

/** Fragments of one WebSocket message: small ones take more memory than their bytes. */
export const maxFragments = 16_384;
