/** Asks where to save a file, writes it, and offers to open it. The caller provides the content. */
import * as os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { offer } from './offer.ts';

/** A file type in the dialog. */
export const jsonLines: NonNullable<vscode.SaveDialogOptions['filters']> = {
  'JSON Lines': ['jsonl'],
};

/**
 * @param read gives the bytes, after the user chose the file. The caller reports rejections.
 * @returns whether the user chose one
 */
export async function saveFile(
  {
    name,
    ...dialog
  }: Pick<vscode.SaveDialogOptions, 'title' | 'filters'> & {
    readonly name: string;
  },
  read: () => Uint8Array | Promise<Uint8Array>,
): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  const defaultUri = vscode.Uri.joinPath(folder, name);
  const target = await vscode.window.showSaveDialog({ ...dialog, defaultUri });
  if (target === undefined) {
    return false;
  }
  await vscode.workspace.fs.writeFile(target, await read());
  const text = vscode.l10n.t('Saved as {0}.', path.posix.basename(target.path));
  offer(vscode.window.showInformationMessage, text, vscode.l10n.t('Open'), () =>
    vscode.commands.executeCommand('vscode.open', target),
  );
  return true;
}
