/** Tells the user of an error, with the log one click away. Writes nothing to it. */
import * as vscode from 'vscode';
import { errorText } from './errorText.ts';

/**
 * Resolves when the message is closed: wait for it only where nothing else waits.
 * @param showLog the log that says more: that of the server it is about, if it is about one
 * @returns the one of `others` that was chosen
 */
export async function tellError(
  error: unknown,
  showLog: () => void,
  ...others: readonly string[]
): Promise<string | undefined> {
  const log = vscode.l10n.t('Show Log');
  const answer = await vscode.window.showErrorMessage(errorText(error), ...others, log);
  if (answer === log) {
    showLog();
    return undefined;
  }
  return answer;
}
