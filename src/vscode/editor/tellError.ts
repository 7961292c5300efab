/** Tells the user of an error, with the log one click away. Writes nothing to it. */
import * as vscode from 'vscode';
import { errorText, serverErrorText } from '../text/errorText.ts';
import { openUnwritten } from './writeSetting.ts';

/**
 * Resolves when the message is closed: wait for it only where nothing else waits.
 * @param showLog the log that says more
 */
export async function tellError(error: unknown, showLog: () => void): Promise<void> {
  const settings = openUnwritten(error);
  if (settings === undefined) {
    await tell(errorText(error), showLog);
    return;
  }
  const open = vscode.l10n.t('Open Settings');
  if ((await tell(errorText(error), showLog, open)) === open) {
    await settings();
  }
}

/**
 * As {@link tellError}, with the server named before words that may be its own.
 * @param showLog that of the server
 * @returns the one of `others` that was chosen
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
