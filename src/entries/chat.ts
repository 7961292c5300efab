/** The participant `@mcp`, the language model tools, and the questions before a tool runs or a server gets data. */
export { setUnexpectedErrorHandler } from '../base/event.ts';
export { setTranslator } from '../base/l10n.ts';
export { shareLastDialog } from '../host/questions/reading.ts';
export { createElicitation } from '../vscode/elicitation/editorElicitationUi.ts';
export { createSampling } from '../vscode/sampling/editorSamplingUi.ts';
export { TextEditing } from '../vscode/text/textEditing.ts';
export { createChat } from '../vscode/chat/participant.ts';
export { showDetails } from '../vscode/tree/definitionDocument.ts';
export { createApproval } from '../vscode/toolApproval/createApproval.ts';
export { createDialogs } from '../vscode/launch/consentDialog.ts';
export { createTools as createLanguageModelTools } from '../vscode/chat/languageModelTools.ts';
