/**
 * Which arguments of a tool are also sent as HTTP headers, so that a prompt before the call can show it. A
 * session adds it to the tools that it lists. The key is a symbol, which no server can send; a registered
 * one, because each bundle has its own copy of this file.
 */

export const argumentHeaders: unique symbol = Symbol.for('mcp-host.argumentHeaders');

/** Paths of arguments, joined by dots. */
export type ArgumentHeaders = readonly string[];
