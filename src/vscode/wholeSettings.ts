/**
 * The settings of every scope, as they were before their file was broken: the editor reads what it can of a
 * settings.json that is half written, and servers that run would end, or restart with half of their entry.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { delay } from '../base/async.ts';
import { isObject, type JsonObject, stableStringify } from '../base/json.ts';
import type { ReadResult } from '../host/config/jsonWithComments.ts';
import { readTextFile } from '../host/config/textFile.ts';
import type { ConfigProblem, ConfigScope, RawScope } from '../host/config/serverConfig.ts';
import { scopeKey } from '../host/config/serverConfig.ts';
import { section } from './ids.ts';
import { readScopes } from './workspace.ts';

/** Milliseconds until a file is looked at again that the editor has not read yet, and how often that is done. */
const pauseMs = 200;
const maxPauses = 5;

export interface ReadScopes {
  readonly scopes: readonly RawScope[];
  /** What is wrong with files as a whole. */
  readonly problems: readonly ConfigProblem[];
}

/** A scope whose settings have changed. */
interface Look {
  readonly raw: RawScope;
  readonly problem?: ConfigProblem;
  /** The editor has read what its file says now. */
  readonly isCurrent: boolean;
}

export class WholeSettings implements Disposable {
  readonly #userData: vscode.Uri;
  readonly #readText: (text: string) => ReadResult;
  readonly #onChange: () => void;
  /** By scope, what its file said when it was last whole. */
  readonly #whole = new Map<string, RawScope>();
  /** Nobody has looked at the files yet, or one of them was broken at the last look. */
  #isDoubtful = true;
  /** Of files that are broken: their mending may change no setting of ours. */
  readonly #watchers = new DisposableStore();

  /**
   * @param userData the folder `User` of the editor
   * @param readText loads the parser
   * @param onChange called when a broken file has changed
   */
  constructor(userData: vscode.Uri, readText: (text: string) => ReadResult, onChange: () => void) {
    this.#userData = userData;
    this.#readText = readText;
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

  /**
   * With the earlier settings of a scope whose file does not parse. A file is looked at when its settings have changed,
   * and again while the editor has others than it: the editor may have read what was half written.
   */
  async read(): Promise<ReadScopes> {
    let looks = await this.#lookAtAll();
    for (let pauses = 0; pauses < maxPauses && !looks.every(isCurrent); pauses += 1) {
      await delay(pauseMs);
      looks = await this.#lookAtAll();
    }
    const problems = looks.flatMap(({ problem }) => problem ?? []);
    this.#isDoubtful = problems.length > 0;
    this.#watchers.clear();
    const scopes = looks.map(({ raw, problem }) => {
      const key = scopeKey(raw.scope);
      if (problem !== undefined) {
        this.#watch(raw.scope);
        return this.#whole.get(key) ?? { ...raw, servers: undefined, inputs: undefined };
      }
      this.#whole.set(key, raw);
      return raw;
    });
    return { scopes, problems };
  }

  dispose(): void {
    this.#watchers.dispose();
  }

  #lookAtAll(): Promise<readonly Look[]> {
    return Promise.all(readScopes().map((raw) => this.#lookAt(raw)));
  }

  async #lookAt(raw: RawScope): Promise<Look> {
    const whole = this.#whole.get(scopeKey(raw.scope));
    const isSame = whole !== undefined && stableStringify(whole) === stableStringify(raw);
    const file = isSame && !this.#isDoubtful ? undefined : this.#fileOf(raw.scope);
    if (file === undefined) {
      return { raw, isCurrent: true };
    }
    let text: ReadResult;
    try {
      text = this.#readText(await readTextFile(file.fsPath));
    } catch {
      return { raw, isCurrent: true }; // the editor alone knows where its settings are
    }
    if ('problem' in text) {
      const message = vscode.l10n.t(
        '{0} {1}. Until that is mended, its MCP servers go on as they were.',
        file.path.split('/').at(-1) ?? '',
        text.problem,
      );
      const { scope } = raw;
      const problem = { scope, setting: 'mcpHost.servers', message, isFatal: true } as const;
      return { raw, problem, isCurrent: true };
    }
    const settings = settingsOf(text.value);
    const isAsInFile = (['servers', 'inputs'] as const).every(
      (name) => stableStringify(settings[`${section}.${name}`]) === stableStringify(raw[name]),
    );
    return { raw, isCurrent: isAsInFile };
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

function isCurrent(look: Look): boolean {
  return look.isCurrent;
}

/** Of a settings.json, or of a workspace's own file, which has them in a member. */
function settingsOf(file: unknown): JsonObject {
  const settings = isObject(file) ? file : {};
  return isObject(settings['settings']) ? settings['settings'] : settings;
}

function settingsIn(folder: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(folder, '.vscode/settings.json');
}
