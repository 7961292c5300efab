/** Asks where a file is to be saved, writes it, and offers to open it. What is in it is the caller's to say. */
import * as os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

/** A kind of file, as the dialog has it. */
export const jsonLines: NonNullable<vscode.SaveDialogOptions['filters']> = {
  'JSON Lines': ['jsonl'],
};

/** @param read the bytes, asked for once it is known where they go. Rejections are the caller's to tell. */
export async function saveFile(
  {
    name,
    ...dialog
  }: Pick<vscode.SaveDialogOptions, 'title' | 'filters'> & {
    readonly name: string;
  },
  read: () => Uint8Array | Promise<Uint8Array>,
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  const defaultUri = vscode.Uri.joinPath(folder, name);
  const target = await vscode.window.showSaveDialog({ ...dialog, defaultUri });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, await read());
    void offerToOpen(target);
  }
}

/** Not awaited: the message stays until it is closed, and the command is over before that. */
async function offerToOpen(target: vscode.Uri): Promise<void> {
  const open = vscode.l10n.t('Open');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('Saved as {0}.', path.posix.basename(target.path)),
    open,
  );
  if (answer === open) {
    await vscode.commands.executeCommand('vscode.open', target);
  }
}
