/** The participant `@mcp`, the language model tools, and what is asked before something runs or is told to a server. */
export { setUnexpectedErrorHandler } from '../base/event.ts';
export { createElicitation } from '../vscode/asks/createElicitation.ts';
export { createSampling } from '../vscode/asks/createSampling.ts';
export { TextEditing } from '../vscode/asks/textEditing.ts';
export { createChat } from '../vscode/chat/createChat.ts';
export { showDetails } from '../vscode/definitionDocument.ts';
export { createApproval } from '../vscode/dialogs/createApproval.ts';
export { createDialogs } from '../vscode/dialogs/createDialogs.ts';
export { createTools as createLanguageModelTools } from '../vscode/languageModelTools/tools.ts';
