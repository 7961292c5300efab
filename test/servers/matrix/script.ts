/** What the server of the protocol matrix and the channel that it is served over need of each other. */

/** Where a message of the server goes. */
export interface Outlet {
  send(message: unknown): void;
}

/** What a script needs of the channel that it is served over. */
export interface ServedBy {
  /** For what belongs to no request: a stream that is always open, where the channel has one. */
  readonly push: Outlet;
  /** Ends the server as a crash would. */
  die(): void;
}

/** One server. */
export interface Script {
  /** Takes what one frame, line or body held. What it answers goes to `out`. */
  receive(frame: unknown, out: Outlet): void;
  /** The client no longer waits for the reply to this request. */
  abandon(id: unknown): void;
}
