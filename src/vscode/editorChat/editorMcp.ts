/** The editor's own MCP client: what its settings allow, and the command that makes it start a server. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Definition } from '../../host/editorChat/definitions.ts';
import { accessSettings, type EditorAccess } from '../../host/editorChat/editorAccess.ts';
import type { EditorChat, EditorMcp } from '../../host/editorChat/editorChat.ts';
import { definitionProviderId, extensionId } from '../ids.ts';

/**
 * Not part of the API: seen in the editor from 1.110 to 1.139. Takes the id of a definition, and knows only definitions
 * that the editor has read.
 */
const startCommand = 'workbench.mcp.startServer';
const autostartSetting = 'chat.mcp.autostart';

export class EditorMcpClient implements EditorMcp, Disposable {
  readonly #store = new DisposableStore();
  readonly #accessChanged = this.#store.add(new Emitter<void>());
  readonly onDidChangeAccess = this.#accessChanged.event;

  constructor() {
    const watched = [...Object.values(accessSettings), autostartSetting];
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (watched.some((setting) => event.affectsConfiguration(setting))) {
          this.#accessChanged.fire();
        }
      }),
    );
  }

  access(): EditorAccess {
    const settings = vscode.workspace.getConfiguration();
    return {
      access: settings.get(accessSettings.access),
      allowedServers: settings.get(accessSettings.allowedServers),
      deniedServers: settings.get(accessSettings.deniedServers),
      allowManagedServersOnly: settings.get(accessSettings.allowManagedServersOnly),
      strictPluginOnlyCustomization: settings.get(accessSettings.strictPluginOnlyCustomization),
      disableAIFeatures: settings.get(accessSettings.disableAIFeatures),
    };
  }

  mayStart(): boolean {
    return vscode.workspace.getConfiguration().get(autostartSetting) !== 'never';
  }

  async start(label: string): Promise<void> {
    await vscode.commands.executeCommand(startCommand, `${extensionId}/${label}`);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** The definitions are complete when provided: not every part of the editor resolves them. */
export function registerDefinitions(chat: EditorChat): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const subscription = chat.onDidChangeDefinitions(() => changed.fire());
  const provider = vscode.lm.registerMcpServerDefinitionProvider(definitionProviderId, {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: async () => (await chat.definitions()).map(toDefinition),
  });
  return vscode.Disposable.from(subscription, changed, provider);
}

function toDefinition({ label, url, headers, version }: Definition): vscode.McpServerDefinition {
  const uri = vscode.Uri.parse(url, true);
  return new vscode.McpHttpServerDefinition(label, uri, { ...headers }, version);
}
