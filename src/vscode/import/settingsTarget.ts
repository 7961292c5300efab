/** The settings that a wizard writes to: reads what is there, writes entries, and keeps their values as secrets. */
import * as vscode from 'vscode';
import { delay } from '../../base/async.ts';
import { isObject, type JsonObject, stableStringify } from '../../base/json.ts';
import { parseConfig } from '../../host/config/parseConfig.ts';
import type { ConfigScope, HostConfig } from '../../host/config/serverConfig.ts';
import { McpError } from '../../mcp/errors.ts';
import {
  addToSettings,
  type CurrentSettings,
  type NewEntries,
} from '../../host/import/editSettings.ts';
import { readGlobalScopes, readScopes } from '../config/editorWorkspace.ts';
import { SettingNotWritten, writeSetting } from '../editor/writeSetting.ts';
import type { InputValues } from '../../host/launch/inputs.ts';
import { type ImportPlan, startedByCommand } from '../../host/import/planImport.ts';

type SettingKey = 'servers' | 'inputs';

export class SettingsTarget {
  readonly #target: vscode.ConfigurationTarget;
  readonly #userData: vscode.Uri;

  /** @param userData the folder `User` of the editor */
  constructor(target: vscode.ConfigurationTarget, userData: vscode.Uri) {
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

  /** The definitions as they are written. */
  get inputs(): readonly JsonObject[] {
    const inputs = this.#read('inputs');
    return Array.isArray(inputs) ? (inputs as readonly unknown[]).filter(isObject) : [];
  }

  /** The entry as it is written. Undefined if there is none. */
  entry(name: string): unknown {
    const servers = this.#read('servers');
    return isObject(servers) ? servers[name] : undefined;
  }

  /**
   * Adds inputs with free ids, and servers: one whose name is taken replaces that entry.
   * @throws McpError `invalidConfig` when the editor refuses to write
   */
  async write(entries: NewEntries): Promise<void> {
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

  /** Edits the text itself, so that comments in our settings stay. False: nothing was written. */
  async #edit(current: CurrentSettings, entries: NewEntries): Promise<boolean> {
    if (current.servers === undefined && current.inputs === undefined) {
      return false; // there are no comments to lose
    }
    const place = placeOf(this.#target, this.#userData);
    const change = (text: string): string | undefined =>
      addToSettings(text, place.prefix, current, entries);
    const undo = await writeFile(place, change);
    if (undo !== undefined && (await this.#isRead(entries))) {
      return true;
    }
    await undo?.();
    return editSettings(place, change);
  }

  /**
   * Whether the editor has read what was written: a browser keeps settings elsewhere, and a profile has others than the
   * default one, whose file alone an extension knows.
   */
  async #isRead({ servers }: NewEntries): Promise<boolean> {
    const isThere = ([name, entry]: readonly [string, unknown]): boolean =>
      stableStringify(this.entry(name)) === stableStringify(entry);
    return isShown(() => Object.entries(servers).every(isThere));
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

/** How long the editor may take to show what was done. */
const showLimitMs = 5_000;
const showStepMs = 50;

/** Where the settings of a target are. */
interface SettingsPlace {
  /** Opens the file. */
  readonly command: string;
  /** Tells its path from those of other settings. */
  readonly file: RegExp;
  /** Where it is on disk; undefined for a workspace that has not been saved. */
  readonly uri: vscode.Uri | undefined;
  /** Keys that lead to the settings in it. */
  readonly prefix: readonly string[];
}

function placeOf(target: vscode.ConfigurationTarget, userData: vscode.Uri): SettingsPlace {
  const settings = 'settings.json';
  if (target === vscode.ConfigurationTarget.Global) {
    // In the editor's own scheme: it then notices the change at once.
    const folder = userData.with({ scheme: 'vscode-userdata' });
    const command = 'workbench.action.openSettingsJson';
    const uri = vscode.Uri.joinPath(folder, settings);
    return { command, file: /(?<!\/\.vscode)\/settings\.json$/u, uri, prefix: [] };
  }
  const command = 'workbench.action.openWorkspaceSettingsFile';
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  if (workspaceFile === undefined) {
    const [folder] = workspaceFolders ?? [];
    const uri = folder && vscode.Uri.joinPath(folder.uri, '.vscode', settings);
    return { command, file: /\/\.vscode\/settings\.json$/u, uri, prefix: [] };
  }
  const uri = workspaceFile.scheme === 'untitled' ? undefined : workspaceFile;
  return { command, file: /\.code-workspace$|\/workspace\.json$/u, uri, prefix: ['settings'] };
}

/**
 * Shows nothing.
 * @returns takes it back; undefined when nothing was written, since the file is not known, or has unsaved text in an editor
 */
async function writeFile(
  { uri, file }: SettingsPlace,
  change: (text: string) => string | undefined,
): Promise<(() => Promise<void>) | undefined> {
  const isUnsaved = vscode.workspace.textDocuments.some(
    (document) => document.isDirty && file.test(document.uri.path),
  );
  if (uri === undefined || isUnsaved) {
    return undefined;
  }
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const changed = change(text);
    if (changed === undefined) {
      return undefined;
    }
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(changed));
    return async () => vscode.workspace.fs.writeFile(uri, bytes);
  } catch {
    return undefined; // the editor reports what is wrong with its file
  }
}

/**
 * The editor itself opens the file, where it is not on disk or not read there: it alone knows then where it is.
 * @param change returns the new text; undefined leaves the file unchanged
 * @returns whether the file was changed and saved
 */
async function editSettings(
  { command, file }: SettingsPlace,
  change: (text: string) => string | undefined,
): Promise<boolean> {
  const before = new Set(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(tabKey)));
  await vscode.commands.executeCommand(command);
  const editor = await shownEditor(file);
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
  await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
  // The file may have changed meanwhile: the editor asks what to keep.
  return isShown(() => !document.isDirty);
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

async function shownEditor(file: RegExp): Promise<vscode.TextEditor | undefined> {
  const found = (): vscode.TextEditor | undefined => {
    const { activeTextEditor: editor } = vscode.window;
    return editor !== undefined && file.test(editor.document.uri.path) ? editor : undefined;
  };
  return (await isShown(() => found() !== undefined)) ? found() : undefined;
}

/** The editor reports what a command did before or after it has ended. */
async function isShown(look: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < showLimitMs; waited += showStepMs) {
    if (look()) {
      return true;
    }
    await delay(showStepMs);
  }
  return false;
}

function tabKey({ input }: vscode.Tab): string {
  return input instanceof vscode.TabInputText ? input.uri.toString() : '';
}

/**
 * The planned servers as the host would have them.
 * @throws McpError `invalidConfig` for an entry that our settings would refuse
 */
export function configOf(
  { servers, inputs }: Pick<ImportPlan, 'servers'> & { readonly inputs: readonly unknown[] },
  { scope }: SettingsTarget,
): HostConfig {
  const config = parseConfig([{ scope, servers, inputs }]);
  if (config.servers.length < Object.keys(servers).length) {
    const [problem] = config.problems;
    throw new McpError('invalidConfig', `${problem?.entry ?? ''}: ${problem?.message ?? ''}`);
  }
  return config;
}

export type KeptInputs = Pick<InputValues, 'change' | 'discard' | 'has' | 'keep' | 'stored'>;

/** `only`: they start by command only. */
export type WriteAnswer = 'start' | 'only';

/**
 * Keeps the values of a plan while `decide` runs, and writes the servers when it agrees. Otherwise no value stays, not
 * even those of inputs that a trial asked for.
 * @returns the names of the servers, or another answer
 * @throws McpError `invalidConfig` when the settings cannot be written
 */
export async function writeServers<T>(
  plan: ImportPlan,
  target: SettingsTarget,
  inputs: KeptInputs,
  decide: () => Promise<WriteAnswer | T>,
): Promise<readonly string[] | T> {
  let isWritten = false;
  try {
    // Values first: a server starts as soon as it is written.
    for (const [id, value] of plan.values) {
      await inputs.keep(target.scope, id, value);
    }
    const answer = await decide();
    if (answer !== 'start' && answer !== 'only') {
      return answer;
    }
    await target.write(answer === 'start' ? plan : startedByCommand(plan));
    isWritten = true;
    return Object.keys(plan.servers);
  } finally {
    for (const { id } of isWritten ? [] : plan.inputs) {
      await inputs.discard(target.scope, id);
    }
  }
}
