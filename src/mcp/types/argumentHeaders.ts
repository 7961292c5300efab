/**
 * Which arguments of a tool also go out as HTTP headers, for those who ask people before a call. A session
 * puts it into the tools that it lists, where it will do so. Under a symbol, which no server can send; a
 * registered one, since each bundle has its own copy of this file.
 */

export const argumentHeaders: unique symbol = Symbol.for('mcp-host.argumentHeaders');

/** Paths of arguments, joined by dots. */
export type ArgumentHeaders = readonly string[];
