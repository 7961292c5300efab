/**
 * Entry point of the bundle behind what other extensions use. The extension loads it when the first one
 * asks for the API, or when approvals are managed, hands it what it needs, and imports it by type only.
 */
/** For this bundle's own copy of the event code: what no caller can receive goes where the extension says. */
export { setUnexpectedErrorHandler } from './base/event.ts';
export { createExtensionApis, type ExtensionApis } from './vscode/extensionApi/extensionApis.ts';
