/**
 * Items that a session removed from a list because they may not be offered, for code that shows lists. The
 * key is a symbol, which no server can send; a registered one, because each bundle has its own copy of this
 * file.
 */

export interface OmittedItem {
  /** The server's name for it; may be missing. */
  readonly name?: string;
  /** Completes "… is left out: ". */
  readonly reason: string;
}

export const omitted: unique symbol = Symbol.for('mcp-host.omitted');
