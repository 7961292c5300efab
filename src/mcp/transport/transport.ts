/** The contract between a channel to one server and what speaks over it. */
import type { Abortable } from '../../base/async.ts';
import type { Event } from '../../base/event.ts';
import type { RequestId, RpcMessage, RpcReplyBatch } from '../types/message.ts';

/** One message from the server. `during` names the request whose reply stream carried it, where the channel knows. */
export interface Inbound {
  readonly message: RpcMessage;
  readonly during?: RequestId;
  /** The array that it came in: one object for all members. */
  readonly batch?: Batch;
}

/** An array of messages that came as one (revision 2025-03-26). Its members are delivered one by one. */
export interface Batch {
  /** How many of them are requests. */
  readonly requests: number;
}

/** What a channel needs of an AbortSignal; a real one would be the dearest part of a request. */
export type AbandonSignal = Abortable;

export interface SendOptions {
  /** Aborting it abandons the reply to this message. Channels with one stream per request may close that stream. */
  readonly signal?: AbandonSignal;
  /** Extra HTTP headers for this message. Channels without headers ignore them. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type CloseReason =
  | { readonly kind: 'requested' }
  | { readonly kind: 'ended'; readonly detail: string }
  | { readonly kind: 'failed'; readonly error: Error };

/** Something worth a log line that is no message: a stderr line, malformed input, a reconnect. */
export interface Diagnostic {
  readonly level: 'trace' | 'debug' | 'info' | 'warn';
  /**
   * `stderr`: a line that the server process wrote there. `stdout`: of a line there that was no message.
   * `transport`: an observation of ours.
   */
  readonly source: 'stderr' | 'stdout' | 'transport';
  readonly text: string;
  /** Of the first line on `stdout` that was no message: its beginning. */
  readonly line?: string;
  /** The server is started once more: what it wrote to stderr before is of no interest any more. */
  readonly isNewStart?: true;
}

/**
 * A channel to one server. It frames and delivers messages and knows no MCP method, with two
 * exceptions: Streamable HTTP reads the session id off the reply to `initialize`, as the specification has it, and stops
 * sending it when told to {@link beginSession}; and it asks by `ping` whether a session is really lost.
 */
export interface Transport {
  /**
   * True where abandoning the reply to a request is its cancellation (2026-07-28 over Streamable HTTP:
   * the response stream is closed). No `notifications/cancelled` is sent then.
   */
  readonly cancelsByClosing: boolean;
  readonly onDidReceive: Event<Inbound>;
  /** Fires exactly once. After it nothing is received and every `send` rejects with `closed`. */
  readonly onDidClose: Event<CloseReason>;
  /**
   * The server has forgotten the conversation but can still be reached (Streamable HTTP: 404 to a
   * request that carried a session id). The conversation must be opened anew on this channel.
   * Channels without sessions never fire it.
   */
  readonly onDidLoseSession: Event<void>;
  /**
   * The server can send unasked from now on, and what it announced before may have been missed
   * (Streamable HTTP: the GET stream is open). Channels that can always push never fire it.
   */
  readonly onDidOpenPushStream: Event<void>;
  readonly onDidDiagnose: Event<Diagnostic>;
  /** Opens the channel. @throws McpError `unreachable` when that cannot be done, `cancelled` on abort. */
  start(signal: AbortSignal): Promise<void>;
  /**
   * Hands a message over. Returns undefined when the channel took it at once and any later failure
   * would be a close (stdio); otherwise a promise that settles when the message has been delivered,
   * and for a request on Streamable HTTP not later than its response has been dispatched. It rejects
   * with McpError `sessionExpired`, `http`, `unauthorized`, `unreachable`, `closed` or `cancelled`:
   * that failure is this message's alone, the channel stays usable.
   * @throws TypeError at once for what JSON cannot hold: a cycle, a BigInt
   */
  send(message: RpcMessage | RpcReplyBatch, options?: SendOptions): Promise<void> | undefined;
  /** Forgets any session and version: what follows is a new handshake. */
  beginSession(): void;
  /** The handshake is done; `revision` was agreed. Channels that can push open their push stream now. */
  sessionReady(agreed: { readonly revision: string; readonly sendsVersionHeader: boolean }): void;
  /** Ends the channel in good order; resolves when nothing of it is left (process gone, session deleted). */
  close(): Promise<void>;
}
