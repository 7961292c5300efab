/** OAuth and its questions to the user. Loaded when a server asks for authorization, or has tokens. */
export { setUnexpectedErrorHandler } from '../base/event.ts';
export { setTranslator } from '../base/l10n.ts';
export { shareLastDialog } from '../host/questions/reading.ts';
export { createAuthorizer } from '../host/signIn/signInConversation.ts';
export { createSignInUi } from '../vscode/signIn/editorSignInUi.ts';
export { storedSignInViews } from '../vscode/signIn/storedSignIns.ts';
