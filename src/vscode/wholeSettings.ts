/**
 * The settings of every scope, as they were before their file was broken: the editor reads what it can of a
 * settings.json that is half written, and servers that run would end, or restart with half of their entry.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { stableStringify } from '../base/json.ts';
import { readTextFile } from '../host/config/textFile.ts';
import type { ConfigProblem, ConfigScope, RawScope } from '../host/config/serverConfig.ts';
import { scopeKey } from '../host/config/serverConfig.ts';
import { readScopes } from './workspace.ts';

export interface ReadScopes {
  readonly scopes: readonly RawScope[];
  /** What is wrong with files as a whole. */
  readonly problems: readonly ConfigProblem[];
}

export class WholeSettings implements Disposable {
  readonly #userData: vscode.Uri;
  readonly #whatIsWrong: (text: string) => string | undefined;
  readonly #onChange: () => void;
  /** By scope, what its file said when it was last whole. */
  readonly #whole = new Map<string, RawScope>();
  /** Nobody has looked at the files yet, or one of them was broken at the last look. */
  #isDoubtful = true;
  /** Of files that are broken: their mending may change no setting of ours. */
  readonly #watchers = new DisposableStore();

  /**
   * @param userData the folder `User` of the editor
   * @param whatIsWrong completes a sentence that begins with the file's name; loads the parser
   * @param onChange called when a broken file has changed
   */
  constructor(
    userData: vscode.Uri,
    whatIsWrong: (text: string) => string | undefined,
    onChange: () => void,
  ) {
    this.#userData = userData;
    this.#whatIsWrong = whatIsWrong;
    this.#onChange = onChange;
  }

  /** As the editor has them; nobody has looked at the files. */
  readUnchecked(): readonly RawScope[] {
    const scopes = readScopes();
    for (const raw of scopes) {
      this.#whole.set(scopeKey(raw.scope), raw);
    }
    return scopes;
  }

  /** With the earlier settings of a scope whose file does not parse. A file is looked at when its settings have changed. */
  async read(): Promise<ReadScopes> {
    const isDoubtful = this.#isDoubtful;
    this.#isDoubtful = false;
    this.#watchers.clear();
    const read = await Promise.all(
      readScopes().map(async (raw) => {
        const key = scopeKey(raw.scope);
        const whole = this.#whole.get(key);
        const isSame = whole !== undefined && stableStringify(whole) === stableStringify(raw);
        const problem = isSame && !isDoubtful ? undefined : await this.#problemIn(raw.scope);
        if (problem === undefined) {
          this.#whole.set(key, raw);
          return { raw, problems: [] };
        }
        return {
          raw: whole ?? { ...raw, servers: undefined, inputs: undefined },
          problems: [problem],
        };
      }),
    );
    return {
      scopes: read.map(({ raw }) => raw),
      problems: read.flatMap(({ problems }) => problems),
    };
  }

  dispose(): void {
    this.#watchers.dispose();
  }

  /** Undefined also for a file that cannot be looked at: the editor alone knows where settings are. */
  async #problemIn(scope: ConfigScope): Promise<ConfigProblem | undefined> {
    const file = this.#fileOf(scope);
    if (file === undefined) {
      return undefined;
    }
    let wrong: string | undefined;
    try {
      wrong = this.#whatIsWrong(await readTextFile(file.fsPath));
    } catch {
      return undefined;
    }
    if (wrong === undefined) {
      return undefined;
    }
    this.#isDoubtful = true;
    const folder = vscode.Uri.joinPath(file, '..');
    const name = file.path.split('/').at(-1) ?? '';
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(folder, name),
    );
    this.#watchers.add(watcher);
    this.#watchers.add(watcher.onDidChange(this.#onChange));
    this.#watchers.add(watcher.onDidCreate(this.#onChange));
    const message = vscode.l10n.t(
      '{0} {1}. Until that is mended, its MCP servers go on as they were.',
      name,
      wrong,
    );
    return { scope, setting: 'mcpHost.servers', message, isFatal: true };
  }

  #fileOf(scope: ConfigScope): vscode.Uri | undefined {
    const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
    switch (scope.kind) {
      case 'user':
        return vscode.Uri.joinPath(this.#userData, 'settings.json');
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
