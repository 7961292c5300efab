/** Shows an error to the user, with the log one click away. Does not write to the log. */
import * as vscode from 'vscode';
import { errorText, serverErrorText } from '../text/errorText.ts';
import { openUnwritten } from './writeSetting.ts';

/**
 * Resolves when the message is closed: await it only where nothing else waits.
 * @param showLog shows the log with details
 */
export async function tellError(error: unknown, showLog: () => void): Promise<void> {
  const openSettings = openUnwritten(error);
  const open = vscode.l10n.t('Open Settings');
  const others = openSettings === undefined ? [] : [open];
  if ((await tell(errorText(error), showLog, ...others)) === open) {
    await openSettings?.();
  }
}

/**
 * Like {@link tellError}, but names the server before words that may be the server's own.
 * @param showLog shows the server's log
 * @returns the chosen one of `others`
 */
export function tellServerError(
  server: string,
  error: unknown,
  showLog: () => void,
  ...others: readonly string[]
): Promise<string | undefined> {
  return tell(serverErrorText(server, error), showLog, ...others);
}

async function tell(
  text: string,
  showLog: () => void,
  ...others: readonly string[]
): Promise<string | undefined> {
  const log = vscode.l10n.t('Show Log');
  const answer = await vscode.window.showErrorMessage(text, ...others, log);
  if (answer === log) {
    showLog();
    return undefined;
  }
  return answer;
}
