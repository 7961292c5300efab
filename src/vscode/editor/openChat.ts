/** Opens the editor's chat. Neither the command nor its options are part of the API. */
import * as vscode from 'vscode';

/**
 * Leaves the message to the user, who sends it.
 * @param otherwise where there is no such command: a message to paste into a chat, and words that say so
 */
export async function openChat(
  options: { readonly query: string } | { readonly attachFiles: readonly vscode.Uri[] },
  otherwise: { readonly query: string; readonly told: string },
): Promise<void> {
  try {
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      ...options,
      isPartialQuery: true,
    });
  } catch {
    await vscode.env.clipboard.writeText(otherwise.query);
    void vscode.window.showInformationMessage(otherwise.told);
  }
}
