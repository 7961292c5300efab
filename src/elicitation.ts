/**
 * Entry point of the bundle that asks the user what servers elicit: forms and links. The extension
 * loads it when a server first elicits, and imports it by type only.
 */
import { Elicitation, type ElicitationServices } from './host/asks/elicitation.ts';
import { EditorElicitationUi } from './vscode/asks/editorElicitationUi.ts';
import type { KeepFile } from './vscode/wholeText.ts';

/** For this bundle's own copy of the event code: what no caller can receive goes where the extension says. */
export { setUnexpectedErrorHandler } from './base/event.ts';

export function createElicitation({
  keepFile,
  ...services
}: Omit<ElicitationServices, 'ui'> & { readonly keepFile: KeepFile }): Elicitation {
  return new Elicitation({ ...services, ui: new EditorElicitationUi(keepFile) });
}
