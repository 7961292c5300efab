import type { ChannelObserver, RecentMessages } from './recentMessages.ts';

/**
 * Lets an observer see the messages of a connection, at any time and for any duration. Without an observer,
 * the newest messages are kept for one that comes later. The observer sees what goes over the channel,
 * including secrets, and decides what to show.
 */

/** Headers as `node:http` has them, sent and received. */
export type SeenHeaders = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** One HTTP request. A request that is sent again, signed in or redirected, is a separate exchange. */
export interface ExchangeHead {
  readonly method: string;
  readonly url: string;
  readonly headers: SeenHeaders;
  /** The text of the message in the body. */
  readonly body?: string | undefined;
}

export interface ExchangeObserver {
  answered(status: number, headers: SeenHeaders): void;
  /** The response has ended, or was cut off. */
  ended(error?: Error): void;
}

/**
 * Never throws: the connection goes on as if there were no observer. Called before the channel takes a message, and before
 * anything handles a received one.
 */
export interface MessageObserver extends ChannelObserver {
  exchanged(head: ExchangeHead): ExchangeObserver;
  /** A message between the host and a view of the server's MCP apps. `view`: whose ids count. */
  ofApp(view: string, direction: 'fromApp' | 'toApp', message: object): void;
}

/** Belongs to a server for as long as it is configured, across all its connections. */
export interface MessageTap {
  observer: MessageObserver | undefined;
  /** Of the connection that began last. Absent: none are kept. */
  recent?: RecentMessages | undefined;
}
