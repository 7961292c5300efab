/** Asks for the name of a new server. */
import * as vscode from 'vscode';
import { whatIsWrongWithName } from '../../host/config/parseConfig.ts';

/** @returns undefined when the question was closed */
export async function askName(
  title: string,
  suggestion: string,
  taken: ReadonlySet<string>,
): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('What the server is called in the side bar and in chat.'),
    value: suggestion,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const trimmed = value.trim();
      if (whatIsWrongWithName(trimmed) !== undefined) {
        return vscode.l10n.t('Enter a name of 1 to 100 visible characters.');
      }
      return taken.has(trimmed)
        ? vscode.l10n.t('A server of this name already exists. Choose another name.')
        : undefined;
    },
  });
  return name?.trim();
}
