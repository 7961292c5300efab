/** Offers the servers to the editor's own chat. Decides nothing. */
import type { Workspace } from '../../host/config/workspace.ts';
import type { Bridge, BridgeParts } from '../../bridge/bridge.ts';
import type { Log } from '../../base/log.ts';
import type { ToolSelection } from '../../host/chat/toolSelection.ts';
import { EditorChat } from '../../host/editorChat/editorChat.ts';
import type { Memory } from '../../host/storage.ts';
import { systemClock } from '../../base/clock.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Registry } from '../commands/registerCommands.ts';
import type { ConfigSource } from '../config/configSource.ts';
import { EditorMcpClient, registerDefinitions } from './editorMcp.ts';

export interface OfferParts extends Registry {
  readonly host: McpHost;
  readonly workspace: Workspace;
  readonly config: Pick<ConfigSource, 'bridge' | 'onDidChange'>;
  readonly approveTool: BridgeParts['approveTool'];
  readonly visits: BridgeParts['visits'];
  readonly selection: ToolSelection;
  /** Of the workspace. */
  readonly memory: Memory;
  readonly log: Log;
  /** Called for the first server to offer. */
  readonly bundles: {
    readonly servers: () => { readonly createBridge: (parts: BridgeParts) => Bridge };
  };
}

export interface OfferedServers {
  readonly chat: EditorChat;
  /** Resolves when no client is connected. */
  close(): Promise<void>;
}

export function offerServers(parts: OfferParts): OfferedServers {
  const { own, bundles, config, host, workspace, visits, selection, memory, log } = parts;
  let bridge: Bridge | undefined;
  const client = new EditorMcpClient();
  const chat: EditorChat = new EditorChat({
    host,
    settings: () => config.bridge,
    isTrusted: () => workspace.isTrusted,
    bridge: () => {
      bridge ??= bundles.servers().createBridge({
        host,
        isPublished: (server) => chat.isPublished(server),
        onDidChangePublished: chat.onDidChangePublished,
        approveTool: parts.approveTool,
        isToolOn: (serverId, tool) => selection.isOn({ serverId, tool }),
        onDidChangeTools: selection.onDidChange,
        visits,
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
  own(registerDefinitions(chat));
  own(workspace.onDidGrantTrust(() => chat.refresh()));
  own(config.onDidChange(() => chat.refresh()));
  own({ dispose: () => void bridge?.close() });
  return { chat, close: async () => bridge?.close() };
}
