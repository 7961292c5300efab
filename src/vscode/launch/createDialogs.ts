/** Creates the questions before something runs: the start of a server, the value of an input. */
import type { ConsentPrompt, InputPrompt } from '../../host/launch/launchPrompts.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { consentDialog } from './consentDialog.ts';
import { inputPrompt } from './inputPrompt.ts';

export function createDialogs(keep: KeepFile): ConsentPrompt & InputPrompt {
  return { ...consentDialog(keep), ...inputPrompt(keep) };
}
