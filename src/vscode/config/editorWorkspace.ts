/**
 * The editor's settings, folders and trust. Settings are read with `inspect()`, scope by scope: `get()` would merge
 * objects of all scopes, and a repository could rewrite one field of a server that the user trusts.
 */
import type { Workspace, WorkspaceFolder } from '../../host/config/workspace.ts';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { type RawBridgeSettings, historyDays } from '../../host/config/userSettings.ts';
import { globalScopes, partsOf } from '../../host/config/globalScopes.ts';
import { managedSettings } from '../../host/config/managedAccess.ts';
import type { EntryPolicy } from '../../host/config/parseConfig.ts';
import type { ConfigScope, RawScope } from '../../host/config/serverConfig.ts';
import { section } from '../ids.ts';
import { isString } from '../../base/json.ts';
import type { parseRules } from '../../host/toolApproval/toolRules.ts';
import type { TrustSetting } from '../../host/toolApproval/trustedServers.ts';
import { writeSetting } from '../editor/writeSetting.ts';

export const editorWorkspace: Workspace = {
  get isTrusted() {
    return vscode.workspace.isTrusted;
  },
  get access() {
    return editorSettings(managedSettings);
  },
  get folders() {
    return readFolders();
  },
  onDidGrantTrust: vscode.workspace.onDidGrantWorkspaceTrust,
  onDidChangeFolders: (listener) => vscode.workspace.onDidChangeWorkspaceFolders(() => listener()),
};

/**
 * Those on disk: folders of virtual workspaces mean nothing to a process. Servers run beside the extension host, which names
 * the folders of its machine as files, also in a remote window.
 */
function readFolders(): readonly WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri, name }) => ({ uri: uri.toString(), name, path: uri.fsPath }));
}

/** The two settings of the user, and of the remote machine of this window. */
export function readGlobalScopes(): ReturnType<typeof globalScopes> {
  const window = vscode.workspace.getConfiguration(section);
  const settings = { servers: window.inspect('servers'), inputs: window.inspect('inputs') };
  return globalScopes(settings, vscode.env.remoteName !== undefined);
}

/** The two settings of every scope that counts. */
export function readScopes(): readonly RawScope[] {
  const window = vscode.workspace.getConfiguration(section);
  const { user, remote } = readGlobalScopes();
  const scopes: RawScope[] = [user];
  if (vscode.workspace.workspaceFolders !== undefined) {
    // Answers and values for a server of the remote machine are kept for the workspace, so they need one.
    if (remote !== undefined) {
      scopes.push(remote);
    }
    scopes.push({
      scope: { kind: 'workspace' },
      servers: window.inspect('servers')?.workspaceValue,
      inputs: window.inspect('inputs')?.workspaceValue,
    });
  }
  // In a window with one folder, its settings.json is the workspace's: reading it again as the folder's would make
  // every entry hide itself.
  if (vscode.workspace.workspaceFile !== undefined) {
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const own = vscode.workspace.getConfiguration(section, folder.uri);
      scopes.push({
        scope: { kind: 'folder', uri: folder.uri.toString(), name: folder.name },
        servers: own.inspect('servers')?.workspaceFolderValue,
        inputs: own.inspect('inputs')?.workspaceFolderValue,
      });
    }
  }
  return scopes;
}

/** Until a setting changes: each call of a tool asks for some, and the editor takes a tenth of a millisecond for one. */
const inspected = new Map<string, ReturnType<vscode.WorkspaceConfiguration['inspect']>>();
vscode.workspace.onDidChangeConfiguration(() => inspected.clear());

/** The values of all scopes. */
function inspect(setting: string): ReturnType<vscode.WorkspaceConfiguration['inspect']> {
  const found =
    inspected.get(setting) ?? vscode.workspace.getConfiguration(section).inspect(setting);
  inspected.set(setting, found);
  return found;
}

/** The value in the user's settings alone, for what a workspace must not decide. */
function ofUser(setting: string): unknown {
  return inspect(setting)?.globalValue;
}

/** Which of the user's files are read. */
export function readFollow(): unknown {
  return ofUser('follow');
}

/** Rules for calls of tools. */
export function readRules(): Parameters<typeof parseRules>[0] {
  const rules = inspect('rules');
  const parts = partsOf(rules, vscode.env.remoteName !== undefined);
  return { ...parts, workspace: rules?.workspaceValue };
}

/** What servers may use. */
export function readExtensions(): unknown {
  return ofUser('extensions');
}

/** Off where any scope says so: a workspace or a remote machine cannot switch on what the user has switched off. */
function isOn(setting: string): boolean {
  return !Object.values<unknown>(inspect(setting) ?? {}).includes(false);
}

/** Whether MCP apps are shown. */
export function showsApps(): boolean {
  return isOn('apps.enabled');
}

export const onDidChangeShowsApps: Event<void> = (listener) =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${section}.apps.enabled`)) {
      listener();
    }
  });

/** Whether the editor draws apps in its chat. The setting is absent where it cannot. */
export function editorDrawsApps(): boolean {
  return vscode.workspace.getConfiguration().get('chat.mcp.apps.enabled') === true;
}

/** Which sites apps may reach. */
export function appDomains(): unknown {
  return ofUser('apps.domains');
}

/** Whether skills of servers are offered. */
export function offersSkills(): boolean {
  return isOn('skills.enabled');
}

/** Whether calls are kept, and for how many days. */
export function readHistory(): { readonly isOn: boolean; readonly days: number } {
  return { isOn: ofUser('history.enabled') === true, days: historyDays(ofUser('history.days')) };
}

/** What the editor's chat gets, and who confirms. */
export function readBridge(): RawBridgeSettings {
  return { enabled: ofUser('bridge.enabled'), confirmation: ofUser('bridge.confirmation') };
}

/** What is safe. */
export function readEntryPolicy(): EntryPolicy {
  return {
    allowsInsecureTls: ofUser('security.allowInsecureLoopbackTls') === true,
    access: editorSettings(managedSettings),
    folders: readFolders(),
  };
}

/** The effective values of settings of the editor, by these names; including a policy of the organization. */
export function editorSettings<K extends string>(
  names: Readonly<Record<K, string>>,
): Partial<Record<K, unknown>> {
  const settings = vscode.workspace.getConfiguration();
  const values: Partial<Record<K, unknown>> = {};
  for (const key in names) {
    values[key] = settings.get(names[key]);
  }
  return values;
}

/** Calls `run` after each change of a setting that decides about servers, of the folders, or of trust. */
export function onDidChangeScopes(run: () => void): Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      const settings = [section, ...Object.values(managedSettings)];
      if (settings.some((setting) => event.affectsConfiguration(setting))) {
        run();
      }
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(run),
    vscode.workspace.onDidGrantWorkspaceTrust(run),
  );
}

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

/**
 * Mending a broken file may change no setting of ours, so the editor would not report it.
 * @param file undefined for a scope without a file
 */
export function watchFile(file: vscode.Uri | undefined, onChange: () => void): Disposable {
  const store = new DisposableStore();
  if (file !== undefined) {
    const folder = vscode.Uri.joinPath(file, '..');
    const pattern = new vscode.RelativePattern(folder, file.path.split('/').at(-1) ?? '');
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern));
    store.add(watcher.onDidChange(onChange));
    store.add(watcher.onDidCreate(onChange));
  }
  return store;
}

/** The URI of the workspace's file or folder. In a remote window it does not say on which machine. */
export function workspacePlace(): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  return (workspaceFile ?? workspaceFolders?.[0]?.uri)?.toString() ?? '';
}

const key = 'trustedServers';

export const trustSetting: TrustSetting = {
  names: () => {
    const value = ofUser(key);
    return Array.isArray(value) ? value.filter(isString) : [];
  },
  set: async (names) =>
    writeSetting(key, names.length === 0 ? undefined : names, vscode.ConfigurationTarget.Global),
};
