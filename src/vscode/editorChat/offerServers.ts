/** Offers the servers to the editor's own chat. Decides nothing. */
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import type { BridgeParts } from '../../bridge/bridgeParts.ts';
import type { LoopbackBridge } from '../../bridge/loopbackBridge.ts';
import type { ToolSelection } from '../../host/chat/toolSelection.ts';
import type { Workspace } from '../../host/config/workspace.ts';
import { accessSettings, type EditorAccess } from '../../host/editorChat/editorAccess.ts';
import { type Definition, EditorChat, type EditorMcp } from '../../host/editorChat/editorChat.ts';
import type { WorkspaceSwitches } from '../../host/config/workspaceSwitches.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Memory } from '../../host/storage.ts';
import { optionalApi } from '../editor/optionalApi.ts';
import type { Registry } from '../editor/registerCommands.ts';
import {
  appDomains,
  editorSettings,
  onDidChangeShowsApps,
  showsApps,
} from '../config/editorWorkspace.ts';
import type { ConfigSource } from '../config/configSource.ts';
import { definitionProviderId, extensionId } from '../ids.ts';

interface OfferParts extends Registry {
  readonly host: McpHost;
  readonly workspace: Workspace;
  readonly config: Pick<ConfigSource, 'bridge' | 'onDidChange'>;
  readonly approveTool: BridgeParts['approveTool'];
  readonly callServices: BridgeParts['callServices'];
  readonly takePage: BridgeParts['takePage'];
  readonly selection: ToolSelection;
  readonly switches: WorkspaceSwitches;
  /** Of the workspace. */
  readonly memory: Memory;
  readonly log: Log;
  /** Called for the first server to offer. */
  readonly bundles: {
    readonly servers: () => { readonly LoopbackBridge: typeof LoopbackBridge };
  };
}

interface OfferedServers {
  readonly chat: EditorChat;
  /** Resolves when no client is connected. */
  close(): Promise<void>;
}

export function offerServers(parts: OfferParts): OfferedServers {
  const { own, bundles, config, host, workspace, callServices, selection, switches, memory, log } =
    parts;
  let bridge: LoopbackBridge | undefined;
  const client = new EditorMcpClient();
  const chat: EditorChat = new EditorChat({
    host,
    settings: () => config.bridge,
    isTrusted: () => workspace.isTrusted,
    bridge: () => {
      bridge ??= new (bundles.servers().LoopbackBridge)({
        host,
        isPublished: (server) => chat.isPublished(server),
        onDidChangePublished: chat.onDidChangePublished,
        approveTool: parts.approveTool,
        showsApps,
        onDidChangeShowsApps,
        appDomains,
        takePage: parts.takePage,
        isToolOn: (serverId, tool) => selection.isOn({ serverId, tool }),
        onDidChangeTools: selection.onDidChange,
        showsPrompts: (server) => !switches.promptsOff.has(server),
        onDidChangePrompts: switches.onDidChangePrompts,
        callServices,
        memory,
        log,
      });
      return bridge;
    },
    editor: client,
    clock: systemClock,
    log,
  });
  own(client);
  own(chat);
  if (client.takesServers) {
    own(registerDefinitions(chat));
  } else {
    log.warn('This editor takes no MCP servers from extensions: its own chat is not offered any');
  }
  own(workspace.onDidGrantTrust(() => chat.refresh()));
  own(config.onDidChange(() => chat.refresh()));
  own({ dispose: () => void bridge?.close() });
  return { chat, close: async () => bridge?.close() };
}

/**
 * Not part of the API: seen in the editor from 1.110 to 1.139. Takes the id of a definition, and knows only definitions
 * that the editor has read.
 */
const startCommand = 'workbench.mcp.startServer';
const autostartSetting = 'chat.mcp.autostart';

export class EditorMcpClient extends DisposableOwner implements EditorMcp {
  readonly #accessChanged = this.store.add(new Emitter<void>());
  readonly onDidChangeAccess = this.#accessChanged.event;
  #access: EditorAccess | undefined;
  readonly takesServers = optionalApi.lm?.registerMcpServerDefinitionProvider !== undefined;

  constructor() {
    super();
    const watched = [...Object.values(accessSettings), autostartSetting];
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (watched.some((setting) => event.affectsConfiguration(setting))) {
          this.#access = undefined;
          this.#accessChanged.fire();
        }
      }),
    );
  }

  access(): EditorAccess {
    return (this.#access ??= editorSettings(accessSettings));
  }

  mayStart(): boolean {
    return vscode.workspace.getConfiguration().get(autostartSetting) !== 'never';
  }

  async start(label: string): Promise<void> {
    await vscode.commands.executeCommand(startCommand, `${extensionId}/${label}`);
  }
}

/** The definitions are complete when provided: not every part of the editor resolves them. */
function registerDefinitions(chat: EditorChat): vscode.Disposable {
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
