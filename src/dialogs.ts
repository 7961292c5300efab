/**
 * Entry point of the bundle with the questions before something runs: the start of a server, the value
 * of an input. The extension loads it with the first of them, and imports it by type only.
 */
import type { ConsentPrompt, InputPrompt } from './host/ports.ts';
import type { KeepFile } from './vscode/wholeText.ts';
import { consentDialog } from './vscode/dialogs/consentDialog.ts';
import { inputPrompt } from './vscode/dialogs/inputPrompt.ts';

export function createDialogs(keep: KeepFile): ConsentPrompt & InputPrompt {
  return { ...consentDialog(keep), ...inputPrompt(keep) };
}
