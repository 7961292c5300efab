/** The window's folder that holds a server's files, as far as the server's entry says. */
import * as vscode from 'vscode';
import type { ServerConfig } from '../../host/config/serverConfig.ts';

/** The folder of the entry, else the window's first one. */
export function folderOf({ scope }: ServerConfig): vscode.WorkspaceFolder | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const own = folders.find(({ uri }) => scope.kind === 'folder' && uri.toString() === scope.uri);
  return own ?? folders[0];
}
