/** The limits of Streamable HTTP: sizes and times that stop a bad server from holding memory or sockets. */
import type { MemoryAccount } from '../../../base/memory.ts';
import { defaultMaxSize } from '../sizeLimit.ts';

export interface HttpLimits {
  /** Bytes of a JSON response. */
  readonly maxBodyBytes: number;
  /** Characters of one event. */
  readonly maxEventChars: number;
  /** Part of the error message about these two: how to change them. */
  readonly limitHint?: string | undefined;
  /** The server's memory account: data that does not fit is refused. */
  readonly memory?: MemoryAccount | undefined;
  /** Milliseconds in which a server must accept a message that has no reply. Requests have the peer's limits. */
  readonly messageMs: number;
  /** Milliseconds for the DELETE of a session; the server may be gone. */
  readonly deleteMs: number;
  /** Milliseconds for the rest of a response that nobody waits for any more. */
  readonly lingerMs: number;
  /** Milliseconds before a stream is reopened, if the server sets no time; doubled with each failure in a row. */
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
