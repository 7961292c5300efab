/**
 * Entry point of the bundle that draws the "MCP" view. The extension loads it when the view is first
 * shown, and imports it by type only.
 */
export { setUnexpectedErrorHandler } from './base/event.ts';
export { createTree } from './vscode/tree/createTree.ts';
