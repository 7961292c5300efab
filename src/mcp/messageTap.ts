/**
 * Where somebody who wants to see the messages of a connection looks in, at any time and for as long as
 * they like. While nobody does, each message costs one look at {@link MessageTap.observer}. What is seen
 * is what goes over the channel, secrets included: what to show of it is the observer's matter.
 */

/** As `node:http` has them, going out and coming in. */
export type SeenHeaders = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** One HTTP request as it is sent; one that is sent again, signed in or redirected, is another one. */
export interface ExchangeHead {
  readonly method: string;
  readonly url: string;
  readonly headers: SeenHeaders;
  /** The text of the message that it carries. */
  readonly body?: string | undefined;
}

export interface ExchangeObserver {
  answered(status: number, headers: SeenHeaders): void;
  /** Nothing more comes, or it was cut. */
  ended(error?: Error): void;
}

/** Never throws: the connection goes on as if nobody looked. */
export interface MessageObserver {
  /** Told before the channel takes the message. An array: the replies to one that was received (BASE-09). */
  sent(message: object): void;
  /** Told before anybody acts on the message. `during` as the channel says it. */
  received(message: object, during: string | number | undefined): void;
  exchanged(head: ExchangeHead): ExchangeObserver;
}

/** Belongs to a server for as long as it is configured, over all its connections. */
export interface MessageTap {
  observer: MessageObserver | undefined;
}
