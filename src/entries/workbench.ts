/** What the user sees and works with: the tree, documents, tools by hand, the inspector, rare commands. */
export { setUnexpectedErrorHandler } from '../base/event.ts';
export { setTranslator } from '../base/l10n.ts';
export { shareLastDialog } from '../host/questions/reading.ts';
export { auditCommands } from '../vscode/audit/auditCommands.ts';
export { DevServers } from '../vscode/dev/devServers.ts';
export { createExtensionApis } from '../vscode/extensions/extensionApis.ts';
export { HistoryBoard } from '../vscode/history/historyBoard.ts';
export { Inspectors } from '../vscode/inspector/inspectors.ts';
export { RequestBoard } from '../vscode/requests/requestBoard.ts';
export { resumeTasks } from '../vscode/requests/resumeTasks.ts';
export { createWorkbench } from '../vscode/workbench/createWorkbench.ts';
export { createTree } from '../vscode/tree/createTree.ts';
