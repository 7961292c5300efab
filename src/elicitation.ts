/**
 * Entry point of the bundle that asks the user what servers elicit: forms and links. The extension
 * loads it when a server first elicits, and imports it by type only.
 */
import { Elicitation, type ElicitationServices } from './host/asks/elicitation.ts';
import { EditorElicitationUi } from './vscode/asks/editorElicitationUi.ts';

/** For this bundle's own copy of the event code: what no caller can receive goes where the extension says. */
export { setUnexpectedErrorHandler } from './base/event.ts';

export interface ElicitationParts {
  readonly elicitation: Elicitation;
  /** Puts the question on the screen off, if it is one of these. */
  readonly postpone: () => boolean;
}

export function createElicitation(services: Omit<ElicitationServices, 'ui'>): ElicitationParts {
  const ui = new EditorElicitationUi();
  return { elicitation: new Elicitation({ ...services, ui }), postpone: () => ui.postpone() };
}
