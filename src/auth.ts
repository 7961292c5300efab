/**
 * Entry point of the bundle that signs in to servers: OAuth, and the questions to the user that belong
 * to it. The extension loads it when a server first asks for authorization, or when there are tokens
 * for one, and imports it by type only.
 */
export { createAuthorizer } from './host/signIn/loadedAuthorizer.ts';

/** For this bundle's own copy of the event code: what no caller can receive goes where the extension says. */
export { setUnexpectedErrorHandler } from './base/event.ts';

export { EditorSignInUi } from './vscode/auth/editorSignInUi.ts';
export { storedSignInViews } from './vscode/auth/storedSignIns.ts';
