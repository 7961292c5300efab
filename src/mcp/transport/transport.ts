/** The contract between a channel to one server and the peer on it. */
import type { Event } from '../../base/event.ts';
import type { RequestId, RpcMessage, RpcReplyBatch } from '../types/message.ts';

/** One message from the server. `during`: the request whose reply stream carried it, if the channel knows. */
export interface Inbound {
  readonly message: RpcMessage;
  readonly during?: RequestId;
  /** The array that the message came in: the same object for all members. */
  readonly batch?: Batch;
}

/** A JSON-RPC batch (revision 2025-03-26). Its members are delivered one by one. */
export interface Batch {
  /** How many of its members are requests. */
  readonly requests: number;
}

export interface SendOptions {
  /** Aborting it abandons the reply to this message. Channels with one stream per request may close that stream. */
  readonly signal?: AbortSignal;
  /** Extra HTTP headers for this message. Channels without headers ignore them. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type CloseReason =
  | { readonly kind: 'requested' }
  /** `exit`: of a process, with its exit code or signal as `code`. */
  | { readonly kind: 'ended'; readonly detail: string; readonly exit?: Error }
  | { readonly kind: 'failed'; readonly error: Error };

/** Something worth a log line that is not a message: a stderr line, malformed input, a reconnect. */
export interface Diagnostic {
  readonly level: 'trace' | 'debug' | 'info' | 'warn';
  /**
   * `stderr`: a line that the server process wrote there. `stdout`: about a line there that was not a
   * message. `transport`: our own observation.
   */
  readonly source: 'stderr' | 'stdout' | 'transport';
  readonly text: string;
  /** The beginning of a line on `stdout` that was not a message. */
  readonly line?: string | undefined;
  /** The server is started again: its earlier stderr output no longer matters. */
  readonly isNewStart?: true;
}

/**
 * A channel to one server. It frames and delivers messages and knows no MCP method, with three exceptions:
 * Streamable HTTP reads the session id from the reply to `initialize`, as the specification requires, and
 * stops sending it after {@link beginSession}; it opens its push stream after `notifications/initialized`;
 * and it sends `ping` to check whether a session is really lost.
 */
export interface Transport {
  /**
   * True if abandoning the reply to a request cancels the request (2026-07-28 over Streamable HTTP: the
   * response stream is closed). Then no `notifications/cancelled` is sent.
   */
  readonly cancelsByClosing: boolean;
  readonly onDidReceive: Event<Inbound>;
  /** Fires exactly once. After it nothing is received and every `send` rejects with `closed`. */
  readonly onDidClose: Event<CloseReason>;
  /**
   * The server has forgotten the conversation but can still be reached (Streamable HTTP: 404 to a request
   * that carried a session id). The conversation must be opened again on this channel. Channels without
   * sessions never fire it.
   */
  readonly onDidLoseSession: Event<void>;
  /**
   * The server can send unsolicited messages from now on; earlier ones may have been missed (Streamable
   * HTTP: the GET stream is open). Channels that can always push never fire it.
   */
  readonly onDidOpenPushStream: Event<void>;
  readonly onDidDiagnose: Event<Diagnostic>;
  /** Opens the channel. @throws McpError `unreachable` if it fails, `cancelled` on abort. */
  start(signal: AbortSignal): Promise<void>;
  /**
   * Sends a message. Returns undefined if the channel took it at once and any later failure would be a
   * close (stdio). Otherwise returns a promise that settles when the message has been delivered; for a
   * request on Streamable HTTP, at the latest when its response has been dispatched. It rejects with
   * McpError `sessionExpired`, `http`, `unauthorized`, `unreachable`, `closed` or `cancelled`: only this
   * message failed, the channel stays usable.
   * @throws TypeError at once for what JSON cannot represent: a cycle, a BigInt
   */
  send(message: RpcMessage | RpcReplyBatch, options?: SendOptions): Promise<void> | undefined;
  /** Forgets session and version, for a new handshake. */
  beginSession(): void;
  /** `revision` is agreed on: what is sent from now on says so. */
  sessionReady(agreed: { readonly revision: string; readonly sendsVersionHeader: boolean }): void;
  /** Ends the channel cleanly. Resolves when nothing of it is left (process gone, session deleted). */
  close(): Promise<void>;
}
