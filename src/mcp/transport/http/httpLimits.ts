/** The limits of Streamable HTTP: sizes and times that keep a bad server from holding memory or sockets. */
import type { MemoryAccount } from '../../../base/memory.ts';
import { defaultMaxSize } from '../sizeLimit.ts';

export interface HttpLimits {
  /** Bytes of a JSON answer. */
  readonly maxBodyBytes: number;
  /** Characters of one event. */
  readonly maxEventChars: number;
  /** Said with these two: how to change them. */
  readonly limitHint?: string | undefined;
  /** Of the server: what it has no room for is refused. */
  readonly memory?: MemoryAccount | undefined;
  /** Milliseconds in which a server must take a message that has no reply. Requests have the peer's limits. */
  readonly messageMs: number;
  /** Milliseconds for the end of a session; the server may be gone. */
  readonly deleteMs: number;
  /** Milliseconds that the rest of an answer may take when nobody waits for it any more. */
  readonly lingerMs: number;
  /** Milliseconds before a stream is opened again when the server names none; doubled with each failure in a row. */
  readonly firstDelayMs: number;
}

export const defaultLimits: HttpLimits = {
  maxBodyBytes: defaultMaxSize,
  maxEventChars: defaultMaxSize,
  messageMs: 30_000,
  deleteMs: 2_000,
  lingerMs: 1_000,
  firstDelayMs: 1_000,
};
