/** Puts together what asks the user for what servers elicit: forms and links. */
import { Elicitation, type ElicitationServices } from '../../host/elicitation/elicitation.ts';
import { EditorElicitationUi } from './editorElicitationUi.ts';
import type { KeepFile } from '../text/wholeText.ts';

export function createElicitation({
  keepFile,
  ...services
}: Omit<ElicitationServices, 'ui'> & { readonly keepFile: KeepFile }): Elicitation {
  return new Elicitation({ ...services, ui: new EditorElicitationUi(keepFile) });
}
