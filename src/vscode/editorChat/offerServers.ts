/** Creates the parts that offer the servers to the editor's own chat. Decides nothing. */
import type { Workspace } from '../../host/config/workspace.ts';
import * as vscode from 'vscode';
import type { Bridge, BridgeParts } from '../../bridge/bridge.ts';
import type { Log } from '../../base/log.ts';
import type { BridgeSettings } from '../../host/config/bridgeSettings.ts';
import type { ToolSelection } from '../../host/chat/toolSelection.ts';
import { EditorChat } from '../../host/editorChat/editorChat.ts';
import type { Memory } from '../../host/storage.ts';
import { systemClock } from '../../base/clock.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { EditorMcpClient, registerDefinitions } from './editorMcp.ts';

export interface OfferParts {
  readonly host: McpHost;
  readonly workspace: Workspace;
  readonly settings: () => BridgeSettings;
  readonly approveTool: BridgeParts['approveTool'];
  readonly visits: BridgeParts['visits'];
  readonly selection: ToolSelection;
  readonly workspaceMemory: Memory;
  readonly log: Log;
  /** Called for the first server to offer. */
  readonly createBridge: (parts: BridgeParts) => Bridge;
}

export interface OfferedServers extends vscode.Disposable {
  readonly chat: EditorChat;
  /** Resolves when no client is connected. */
  close(): Promise<void>;
}

export function offerServers(parts: OfferParts): OfferedServers {
  const { host, workspace, settings, visits, selection, workspaceMemory, log } = parts;
  let bridge: Bridge | undefined;
  const client = new EditorMcpClient();
  const chat: EditorChat = new EditorChat({
    host,
    settings,
    isTrusted: () => workspace.isTrusted,
    bridge: () => {
      bridge ??= parts.createBridge({
        host,
        isPublished: (server) => chat.isPublished(server),
        onDidChangePublished: chat.onDidChangePublished,
        approveTool: parts.approveTool,
        isToolOn: (serverId, tool) => selection.isOn({ serverId, tool }),
        onDidChangeTools: selection.onDidChange,
        visits,
        memory: workspaceMemory,
        log,
      });
      return bridge;
    },
    editor: client,
    clock: systemClock,
    log,
  });
  const owned = vscode.Disposable.from(
    client,
    chat,
    registerDefinitions(chat),
    workspace.onDidGrantTrust(() => chat.refresh()),
  );
  return {
    chat,
    close: async () => bridge?.close(),
    dispose: () => {
      owned.dispose();
      void bridge?.close();
    },
  };
}
