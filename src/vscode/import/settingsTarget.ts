/** The settings that a wizard writes to: reads what is there, adds entries, and keeps their values as secrets. */
import * as vscode from 'vscode';
import { delay } from '../../base/async.ts';
import { isObject } from '../../base/json.ts';
import type { ConfigScope } from '../../host/config/serverConfig.ts';
import {
  addToSettings,
  type CurrentSettings,
  type NewEntries,
} from '../../host/import/editSettings.ts';
import { readGlobalScopes, readScopes } from '../config/editorWorkspace.ts';
import { SettingNotWritten, writeSetting } from '../editor/writeSetting.ts';
import type { InputValues } from '../../host/launch/inputs.ts';
import { type ChosenServer, type ImportPlan, planImport } from '../../host/import/planImport.ts';

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

/** How long the editor may take to show the file after its command has ended. */
const showLimitMs = 5_000;
const showStepMs = 50;

/**
 * @param change returns the new text; undefined leaves the file unchanged
 * @returns whether the file was changed and saved
 */
export async function editUserSettings(
  change: (text: string) => string | undefined,
): Promise<boolean> {
  const before = new Set(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(tabKey)));
  await vscode.commands.executeCommand('workbench.action.openSettingsJson');
  const editor = await shownSettings();
  if (editor === undefined) {
    return false;
  }
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  try {
    return await edit(editor, change);
  } finally {
    // A tab that was open before stays open.
    if (tab !== undefined && !tab.isDirty && !before.has(tabKey(tab))) {
      await vscode.window.tabGroups.close(tab, true);
    }
  }
}

async function edit(
  editor: vscode.TextEditor,
  change: (text: string) => string | undefined,
): Promise<boolean> {
  const { document } = editor;
  const text = document.getText();
  const changed = document.isDirty ? undefined : change(text);
  if (changed === undefined) {
    return false;
  }
  // Edits through the editor, not by the document's URI: for the settings in a browser we see the URI of another file.
  const isEdited = await editor.edit((builder) => replaceDifference(builder, document, changed));
  if (!isEdited) {
    return false;
  }
  await vscode.commands.executeCommand('workbench.action.files.save');
  return true;
}

/** Replaces only what differs, so that cursors and folds stay where they are. */
function replaceDifference(
  builder: vscode.TextEditorEdit,
  document: vscode.TextDocument,
  changed: string,
): void {
  const text = document.getText();
  const shorter = Math.min(text.length, changed.length);
  let start = 0;
  while (start < shorter && text[start] === changed[start]) {
    start++;
  }
  let end = 0;
  while (end < shorter - start && text.at(-1 - end) === changed.at(-1 - end)) {
    end++;
  }
  const range = new vscode.Range(
    document.positionAt(start),
    document.positionAt(text.length - end),
  );
  builder.replace(range, changed.slice(start, changed.length - end));
}

/** The editor reports its new active editor before or after the command has ended. */
async function shownSettings(): Promise<vscode.TextEditor | undefined> {
  for (let waited = 0; waited < showLimitMs; waited += showStepMs) {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && editor.document.uri.path.endsWith('/settings.json')) {
      return editor;
    }
    await delay(showStepMs);
  }
  return undefined;
}

function tabKey({ input }: vscode.Tab): string {
  return input instanceof vscode.TabInputText ? input.uri.toString() : '';
}

export type KeptInputs = Pick<InputValues, 'keep' | 'discard' | 'stored'>;

/** What would be written. Uses no id of an existing input. */
export async function plan(
  chosen: readonly ChosenServer[],
  { scope, inputIds }: SettingsTarget,
  inputs: KeptInputs,
): Promise<ImportPlan> {
  const kept = (await inputs.stored()).filter((stored) => stored.scope === scope.kind);
  return planImport(chosen, [...inputIds, ...kept.map(({ id }) => id)]);
}

/**
 * @returns the names of the servers
 * @throws McpError `invalidConfig` when the settings cannot be written; no value is kept then
 */
export async function writeServers(
  written: ImportPlan,
  target: SettingsTarget,
  inputs: KeptInputs,
): Promise<readonly string[]> {
  // Values first: a server starts as soon as it is written.
  await keepValues(written, target, inputs);
  try {
    await target.add(written);
  } catch (error) {
    await discardValues(written, target, inputs);
    throw error;
  }
  return Object.keys(written.servers);
}

export async function keepValues(
  { values }: ImportPlan,
  { scope }: SettingsTarget,
  inputs: KeptInputs,
): Promise<void> {
  for (const [id, value] of values) {
    await inputs.keep(scope, id, value);
  }
}

/** Discards the values of all inputs that are new with the servers, including those that a trial asked for. */
export async function discardValues(
  { values, inputs: added }: ImportPlan,
  { scope }: SettingsTarget,
  inputs: KeptInputs,
): Promise<void> {
  for (const id of new Set([...values.keys(), ...added.map((input) => input.id)])) {
    await inputs.discard(scope, id);
  }
}
