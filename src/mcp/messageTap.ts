/**
 * Lets an observer see the messages of a connection, at any time and for any duration. Without an observer,
 * each message costs one read of {@link MessageTap.observer}. The observer sees what goes over the channel,
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

/** Never throws: the connection goes on as if there were no observer. */
export interface MessageObserver {
  /** Called before the channel takes the message. An array: the replies to a received batch (BASE-09). */
  sent(message: object): void;
  /** Called before anything handles the message. `during`: as the channel gives it. */
  received(message: object, during: string | number | undefined): void;
  exchanged(head: ExchangeHead): ExchangeObserver;
  /** A message between the host and a view of the server's MCP apps. `view`: whose ids count. */
  ofApp(view: string, direction: 'fromApp' | 'toApp', message: object): void;
}

/** Belongs to a server for as long as it is configured, across all its connections. */
export interface MessageTap {
  observer: MessageObserver | undefined;
}
