/** The settings that a wizard writes to: asks for whom, reads what is there, and adds entries. */
import * as vscode from 'vscode';
import { delay } from '../../base/async.ts';
import { isObject } from '../../base/json.ts';
import type { ConfigScope } from '../../host/config/serverConfig.ts';
import {
  addToSettings,
  type CurrentSettings,
  type NewEntries,
} from '../../host/import/editSettings.ts';
import { readGlobalScopes, readScopes } from '../config/workspace.ts';
import { SettingNotWritten, writeSetting } from '../editor/writeSetting.ts';
import { editUserSettings } from './settingsEditor.ts';

/** The file of a target's settings, if it is known. */
interface SettingsFile {
  readonly uri: vscode.Uri;
  /** Keys that lead to the settings in the file. */
  readonly prefix: readonly string[];
}

type SettingKey = 'servers' | 'inputs';

/** How long the editor may take to read a written file. */
const noticeLimitMs = 5_000;
const noticeStepMs = 100;

export class SettingsTarget {
  readonly #target: vscode.ConfigurationTarget;
  readonly #userData: vscode.Uri | undefined;

  /** @param userData the folder `User` of the editor */
  constructor(target: vscode.ConfigurationTarget, userData: vscode.Uri | undefined) {
    this.#target = target;
    this.#userData = userData;
  }

  get scope(): ConfigScope {
    return { kind: this.#isUser ? 'user' : 'workspace' };
  }

  get serverNames(): ReadonlySet<string> {
    const servers = this.#read('servers');
    return new Set(isObject(servers) ? Object.keys(servers) : []);
  }

  get inputIds(): readonly string[] {
    const inputs = this.#read('inputs');
    return Array.isArray(inputs)
      ? (inputs as readonly unknown[]).flatMap((input) =>
          isObject(input) ? [String(input['id'])] : [],
        )
      : [];
  }

  /**
   * Adds servers and inputs with free names and ids.
   * @throws McpError `invalidConfig` when the editor refuses to write
   */
  async add(entries: NewEntries): Promise<void> {
    const current = { servers: this.#read('servers'), inputs: this.#read('inputs') };
    if (await this.#edit(current, entries)) {
      return;
    }
    this.#requireOwn(entries.inputs.length > 0 ? ['servers', 'inputs'] : ['servers']);
    // Inputs first: a server starts as soon as it is written.
    if (entries.inputs.length > 0) {
      const inputs = Array.isArray(current.inputs) ? (current.inputs as readonly unknown[]) : [];
      await writeSetting('inputs', [...inputs, ...entries.inputs], this.#target);
    }
    const servers = isObject(current.servers) ? Object.entries(current.servers) : [];
    await writeSetting(
      'servers',
      Object.fromEntries([...servers, ...Object.entries(entries.servers)]),
      this.#target,
    );
  }

  /** Edits the file itself, so that comments in our settings stay. False: nothing was written. */
  async #edit(current: CurrentSettings, entries: NewEntries): Promise<boolean> {
    if (current.servers === undefined && current.inputs === undefined) {
      return false; // there are no comments to lose
    }
    const file = this.#file();
    const isWritten =
      (file !== undefined && (await editFile(file, current, entries))) ||
      (this.#isUser &&
        (await editUserSettings((text) => addToSettings(text, [], current, entries))));
    return isWritten && this.#isNoticed(entries);
  }

  /** Whether the editor has read what was written: it may watch another file, or none. */
  async #isNoticed(entries: NewEntries): Promise<boolean> {
    for (let waited = 0; waited < noticeLimitMs; waited += noticeStepMs) {
      const names = this.serverNames;
      if (Object.keys(entries.servers).every((name) => names.has(name))) {
        return true;
      }
      await delay(noticeStepMs);
    }
    return false;
  }

  /** Undefined if the file is not known for certain. */
  #file(): SettingsFile | undefined {
    const settings = 'settings.json';
    if (this.#isUser) {
      // Uses the editor's own scheme where it has one: the editor then notices the change at once.
      const folder = this.#userData?.with({ scheme: 'vscode-userdata' });
      return folder && { uri: vscode.Uri.joinPath(folder, settings), prefix: [] };
    }
    const { workspaceFile, workspaceFolders } = vscode.workspace;
    if (workspaceFile !== undefined) {
      return workspaceFile.scheme === 'untitled'
        ? undefined
        : { uri: workspaceFile, prefix: ['settings'] };
    }
    const [folder] = workspaceFolders ?? [];
    return folder && { uri: vscode.Uri.joinPath(folder.uri, '.vscode', settings), prefix: [] };
  }

  get #isUser(): boolean {
    return this.#target === vscode.ConfigurationTarget.Global;
  }

  #read(key: SettingKey): unknown {
    return readScopes().find(({ scope }) => scope.kind === this.scope.kind)?.[key];
  }

  /** If the remote machine has a user setting, the editor would write it there. */
  #requireOwn(keys: readonly SettingKey[]): void {
    const { remote } = readGlobalScopes();
    const key = keys.find((one) => this.#isUser && remote?.[one] !== undefined);
    if (key !== undefined) {
      const why = vscode.l10n.t(
        'the remote machine has it too, and the editor would write it there. Add the server to your user settings by hand.',
      );
      throw new SettingNotWritten(this.#target, key, why);
    }
  }
}

/** False: nothing was written. */
async function editFile(
  { uri, prefix }: SettingsFile,
  current: CurrentSettings,
  entries: NewEntries,
): Promise<boolean> {
  if (hasUnsavedSettings()) {
    return false;
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      await vscode.workspace.fs.readFile(uri),
    );
    const edited = addToSettings(text, prefix, current, entries);
    if (edited !== undefined) {
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(edited));
      return true;
    }
  } catch {
    // The editor reports what is wrong with its file.
  }
  return false;
}

/** Whoever writes the file would lose the unsaved text of an editor. */
function hasUnsavedSettings(): boolean {
  return vscode.workspace.textDocuments.some(
    ({ isDirty, uri }) => isDirty && /\/settings\.json$|\.code-workspace$/u.test(uri.path),
  );
}

/** @returns undefined when the user closed the question */
export async function askTarget({
  title,
  placeHolder,
  userData,
}: {
  readonly title: string;
  readonly placeHolder?: string;
  /** The folder `User` of the editor. */
  readonly userData: vscode.Uri | undefined;
}): Promise<SettingsTarget | undefined> {
  if (vscode.workspace.workspaceFolders === undefined) {
    return new SettingsTarget(vscode.ConfigurationTarget.Global, userData);
  }
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: `$(account) ${vscode.l10n.t('For me')}`,
        detail: vscode.l10n.t('In your user settings: in every folder that you open'),
        target: vscode.ConfigurationTarget.Global,
      },
      {
        label: `$(root-folder) ${vscode.l10n.t('For this workspace')}`,
        detail: vscode.l10n.t(
          'In the settings of this workspace: for everybody who opens it, after their consent',
        ),
        target: vscode.ConfigurationTarget.Workspace,
      },
    ],
    { title, ...(placeHolder !== undefined && { placeHolder }), ignoreFocusOut: true },
  );
  return picked === undefined ? undefined : new SettingsTarget(picked.target, userData);
}
