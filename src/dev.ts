/**
 * Entry point of the bundle for whoever develops a server. The extension loads it when an entry has
 * `dev`, hands it what it needs, and imports it by type only.
 */
/** For this bundle's own copy of the event code: what no caller can receive goes where the extension says. */
export { setUnexpectedErrorHandler } from './base/event.ts';
export { DevServers } from './vscode/dev/devServers.ts';
