/** In which folder of the window the files of a server are, as far as its entry says. */
import * as vscode from 'vscode';
import type { ServerConfig } from '../../host/config/serverConfig.ts';

/** The folder of the entry, else the first one. */
export function folderOf({ scope }: ServerConfig): vscode.WorkspaceFolder | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const own = folders.find(({ uri }) => scope.kind === 'folder' && uri.toString() === scope.uri);
  return own ?? folders[0];
}
