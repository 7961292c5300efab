/** The apps of servers (MCP Apps), and their tabs. Loaded with the first app. */
export { setUnexpectedErrorHandler } from '../base/event.ts';
export { Apps } from '../host/apps/apps.ts';
export { AppTabs } from '../vscode/apps/appTabs.ts';
