/** Creates the dialogs for elicitation: forms and links. */
import { Elicitation, type ElicitationServices } from '../../host/elicitation/elicitation.ts';
import { EditorElicitationUi } from './editorElicitationUi.ts';
import type { KeepFile } from '../text/wholeText.ts';

export function createElicitation({
  keepFile,
  ...services
}: Omit<ElicitationServices, 'ui'> & { readonly keepFile: KeepFile }): Elicitation {
  return new Elicitation({ ...services, ui: new EditorElicitationUi(keepFile) });
}
