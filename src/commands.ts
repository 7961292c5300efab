/**
 * Entry point of the bundle with commands that are seldom run: settings, roots, what is remembered, and what
 * may run without a question. The extension loads it with the first of them, and imports it by type only.
 */
export { approvalCommands } from './vscode/commands/approvalCommands.ts';
export { settingsCommands } from './vscode/commands/settingsCommands.ts';
