/** Reads the settings of every scope from whole files only, and says what is wrong with the others. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ReadResult } from '../../host/config/jsonWithComments.ts';
import type { ConfigProblem, ConfigScope, RawScope } from '../../host/config/serverConfig.ts';
import { type BrokenScope, WholeScopes } from '../../host/config/wholeScopes.ts';
import { readScopes } from './editorWorkspace.ts';

export interface ReadSettings {
  readonly scopes: readonly RawScope[];
  /** Problems of whole files. */
  readonly problems: readonly ConfigProblem[];
}

export class WholeSettings implements Disposable {
  readonly #userData: vscode.Uri;
  readonly #onChange: () => void;
  readonly #scopes: WholeScopes;
  /** Watches broken files: mending one may change no setting of ours, so the editor would not report it. */
  readonly #watchers = new DisposableStore();

  /**
   * @param userData the folder `User` of the editor
   * @param readText loads the parser
   * @param onChange called when a broken file has changed
   */
  constructor(userData: vscode.Uri, readText: (text: string) => ReadResult, onChange: () => void) {
    this.#userData = userData;
    this.#onChange = onChange;
    const fileOf = (scope: ConfigScope): string | undefined => this.#fileOf(scope)?.fsPath;
    this.#scopes = new WholeScopes({ readScopes, fileOf, readText });
  }

  async read(): Promise<ReadSettings> {
    const { scopes, broken } = await this.#scopes.read();
    this.#watchers.clear();
    for (const { scope } of broken) {
      this.#watch(scope);
    }
    return { scopes, problems: broken.map((one) => this.#problem(one)) };
  }

  dispose(): void {
    this.#watchers.dispose();
  }

  #problem({ scope, problem, wasWhole }: BrokenScope): ConfigProblem {
    const file = this.#fileOf(scope)?.path.split('/').at(-1) ?? '';
    const message = wasWhole
      ? vscode.l10n.t(
          '{0} {1}. Until this is fixed, its MCP servers keep their last settings.',
          file,
          problem,
        )
      : vscode.l10n.t(
          '{0} {1}. Until this is fixed, none of its MCP servers start.',
          file,
          problem,
        );
    return { scope, setting: 'mcpHost.servers', message, isFatal: true };
  }

  #watch(scope: ConfigScope): void {
    const file = this.#fileOf(scope);
    if (file !== undefined) {
      const pattern = new vscode.RelativePattern(
        vscode.Uri.joinPath(file, '..'),
        file.path.split('/').at(-1) ?? '',
      );
      const watcher = this.#watchers.add(vscode.workspace.createFileSystemWatcher(pattern));
      this.#watchers.add(watcher.onDidChange(this.#onChange));
      this.#watchers.add(watcher.onDidCreate(this.#onChange));
    }
  }

  #fileOf(scope: ConfigScope): vscode.Uri | undefined {
    const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
    switch (scope.kind) {
      case 'user':
        return vscode.Uri.joinPath(this.#userData, 'settings.json');
      case 'remote':
        return vscode.Uri.joinPath(this.#userData, '../Machine/settings.json');
      case 'workspace':
        return workspaceFile ?? (workspaceFolders[0] && settingsIn(workspaceFolders[0].uri));
      case 'folder':
        return settingsIn(vscode.Uri.parse(scope.uri));
      case 'extension':
      case 'followed':
        return undefined;
    }
  }
}

function settingsIn(folder: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(folder, '.vscode/settings.json');
}
