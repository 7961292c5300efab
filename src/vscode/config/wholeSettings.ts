/** The settings files of the scopes: where they are, when they change, and what is said of broken ones. */
import path from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ConfigProblem, ConfigScope } from '../../host/config/serverConfig.ts';
import type { BrokenScope } from '../../host/config/wholeScopes.ts';

/** @param userData the folder `User` of the editor */
export function settingsFile(scope: ConfigScope, userData: vscode.Uri): vscode.Uri | undefined {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  switch (scope.kind) {
    case 'user':
      return vscode.Uri.joinPath(userData, 'settings.json');
    case 'remote':
      return vscode.Uri.joinPath(userData, '../Machine/settings.json');
    case 'workspace':
      return workspaceFile ?? (workspaceFolders[0] && settingsIn(workspaceFolders[0].uri));
    case 'folder':
      return settingsIn(vscode.Uri.parse(scope.uri));
    case 'extension':
    case 'followed':
      return undefined;
  }
}

function settingsIn(folder: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(folder, '.vscode/settings.json');
}

export function problemOf({ scope, file, problem, wasWhole }: BrokenScope): ConfigProblem {
  const name = path.basename(file);
  const message = wasWhole
    ? vscode.l10n.t(
        '{0} {1}. Until this is fixed, its MCP servers keep their last settings.',
        name,
        problem,
      )
    : vscode.l10n.t('{0} {1}. Until this is fixed, none of its MCP servers start.', name, problem);
  return { scope, setting: 'mcpHost.servers', message, isFatal: true };
}

/**
 * Mending a broken file may change no setting of ours, so the editor would not report it.
 * @param file undefined for a scope without a file
 */
export function watchFile(file: vscode.Uri | undefined, onChange: () => void): Disposable {
  const store = new DisposableStore();
  if (file !== undefined) {
    const folder = vscode.Uri.joinPath(file, '..');
    const pattern = new vscode.RelativePattern(folder, path.posix.basename(file.path));
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern));
    store.add(watcher.onDidChange(onChange));
    store.add(watcher.onDidCreate(onChange));
  }
  return store;
}
