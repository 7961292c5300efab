/** Lets the user pick one of what there is. */
import * as vscode from 'vscode';

/** Undefined when the user picked none, or there is none: the user is told that by `none`. */
export async function pickOne<T extends vscode.QuickPickItem>(
  items: readonly T[],
  none: string,
  options: vscode.QuickPickOptions,
): Promise<T | undefined> {
  if (items.length === 0) {
    void vscode.window.showInformationMessage(none);
    return undefined;
  }
  return vscode.window.showQuickPick(items, options);
}
