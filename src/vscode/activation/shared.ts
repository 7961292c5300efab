/** What the parts of one window share: its storage, folders, logs, kept results, and the code that is loaded late. */
import * as vscode from 'vscode';
import { setUnexpectedErrorHandler } from '../../base/event.ts';
import { setTranslator } from '../../base/l10n.ts';
import { lazily } from '../../base/lazily.ts';
import { lazyBundles } from '../../entries/bundles.ts';
import { workspaceIdOf } from '../../host/config/workspace.ts';
import { WorkspaceSwitches } from '../../host/config/workspaceSwitches.ts';
import { ContributedServers } from '../../host/launch/contributedServers.ts';
import { WorkspaceRoots } from '../../host/roots/workspaceRoots.ts';
import { ServerMemory } from '../../host/servers/serverMemory.ts';
import type { Memory, SecretStore } from '../../host/storage.ts';
import { TrustedServers } from '../../host/toolApproval/trustedServers.ts';
import { type CommandHandlers, registerCommands } from '../editor/registerCommands.ts';
import { editorWorkspace, trustSetting, workspacePlace } from '../config/editorWorkspace.ts';
import { OutputLogs } from '../editor/logs.ts';
import { UriRouter } from '../editor/uris.ts';
import { errorStack } from '../text/errorText.ts';
import { ResultFiles } from '../text/resultFiles.ts';
import type { KeepFile } from '../text/wholeText.ts';

export type Shared = ReturnType<typeof createShared>;

export function createShared({
  subscriptions,
  extension,
  extensionUri,
  globalState,
  globalStorageUri: storage,
  secrets,
  workspaceState,
}: vscode.ExtensionContext) {
  const own = <T extends vscode.Disposable>(part: T): T => {
    subscriptions.push(part);
    return part;
  };
  const logs = own(new OutputLogs());
  const log = logs.hostLog;
  const onError = (error: unknown): void => log.error(errorStack(error));
  setUnexpectedErrorHandler(onError);
  setTranslator(vscode.l10n.t);
  const uris = own(new UriRouter());
  const bundles = lazyBundles(onError, uris);
  const memory = mementoMemory(workspaceState);
  const workspace = editorWorkspace;
  const serverMemory = new ServerMemory();
  const results = new ResultFiles(serverMemory.open());
  const keepFile: KeepFile = (file) => results.add([file])[0];
  const version = String(extension.packageJSON.version);
  const ourselves = { name: 'mcp-host', title: 'MCP Host', version };
  return {
    /** Disposes a part with the extension. */
    own,
    addCommands: (handlers: CommandHandlers) => own(registerCommands(handlers, logs)),
    bundles,
    extensionUri,
    /** The extension's own folder, which all windows share. */
    storage,
    /** The folder `User` of the editor. */
    userData: vscode.Uri.joinPath(storage, '..', '..'),
    logs,
    log,
    onError,
    /** Of the workspace. */
    memory,
    workspaceId: lazily(() => workspaceIdOf(workspacePlace(), memory, onError)),
    globalMemory: mementoMemory(globalState),
    secrets: secretStorageStore(secrets),
    workspace,
    roots: new WorkspaceRoots(workspace),
    trusted: new TrustedServers(trustSetting, memory),
    contributed: new ContributedServers(),
    switches: new WorkspaceSwitches(memory),
    uris,
    serverMemory,
    results,
    keepFile,
    checker: lazily(() => own(bundles.schemas().createSchemaChecker(bundles.servers().reaper))),
    ourselves,
    connector: lazily(() => bundles.servers().createConnector(ourselves, memory, keepsMessages)),
  };
}

function mementoMemory(memento: vscode.Memento): Memory {
  return {
    get: (key) => memento.get(key),
    set: async (key, value) => memento.update(key, value),
  };
}

function secretStorageStore(secrets: vscode.SecretStorage): SecretStore {
  return {
    get: async (key) => secrets.get(key),
    set: async (key, value) => secrets.store(key, value),
    delete: async (key) => secrets.delete(key),
    keys: async () => secrets.keys(),
  };
}

function keepsMessages(): boolean {
  return vscode.workspace.getConfiguration('mcpHost').get('inspector.keepMessages') !== false;
}
