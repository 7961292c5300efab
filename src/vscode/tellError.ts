/** Tells the user of an error, with the log one click away. Writes nothing to it. */
import * as vscode from 'vscode';
import { errorText } from './errorText.ts';
import { oneLine } from './text.ts';

/**
 * Resolves when the message is closed: wait for it only where nothing else waits.
 * @param showLog the log that says more
 */
export async function tellError(error: unknown, showLog: () => void): Promise<void> {
  await tell(errorText(error), showLog);
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
  const text = vscode.l10n.t('MCP server "{0}": {1}', oneLine(server, 60), errorText(error));
  return tell(text, showLog, ...others);
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
