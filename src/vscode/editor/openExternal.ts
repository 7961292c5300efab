/** Opens a page in the user's browser, at exactly the address that was shown. */
import * as vscode from 'vscode';

/** False when nothing was opened, because the user or the system refused. */
export async function openExternal(href: string): Promise<boolean> {
  // Passes text: the editor decodes and re-encodes a Uri, which turns `%26` in a query into `&`.
  const browser: { openExternal(target: string | vscode.Uri): Thenable<boolean> } = vscode.env;
  return browser.openExternal(href);
}
