/**
 * Items that a session took out of a list because they may not be offered, for those who show lists.
 * Under a symbol, which no server can send; a registered one, since each bundle has its own copy of this file.
 */

export interface OmittedItem {
  /** As the server names it; may be missing. */
  readonly name?: string;
  /** The end of the sentence "… is left out: ". */
  readonly reason: string;
}

export const omitted: unique symbol = Symbol.for('mcp-host.omitted');
