/** Tells once that a setting of the editor keeps its chat from taking the servers, and what works all the same. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { accessSettings } from '../../host/editorChat/editorAccess.ts';
import type { EditorChat } from '../../host/editorChat/editorChat.ts';
import type { Memory } from '../../host/ports.ts';
import type { McpHost } from '../../host/servers/host.ts';

const memoryKey = 'mcpHost.toldOfBlock';

export class BlockedNotice implements Disposable {
  readonly #chat: EditorChat;
  readonly #host: McpHost;
  readonly #memory: Memory;
  readonly #store = new DisposableStore();

  /** @param memory over workspaces: the setting is the same in the next one */
  constructor(chat: EditorChat, host: McpHost, memory: Memory) {
    this.#chat = chat;
    this.#host = host;
    this.#memory = memory;
    this.#store.add(chat.onDidChangeOffers(() => void this.#look()));
    this.#store.add(chat.onDidChangeDefinitions(() => void this.#look()));
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #look(): Promise<void> {
    const blocked = [...this.#host.servers.values()]
      .map(({ config }) => this.#chat.offer(config))
      .find((offer) => offer.kind === 'blocked');
    const setting = blocked?.setting;
    // Who has switched all of the chat off misses nothing.
    const isMissed = setting !== undefined && setting !== accessSettings.disableAIFeatures;
    if (!isMissed || this.#memory.get(memoryKey) === setting) {
      return;
    }
    await this.#memory.set(memoryKey, setting);
    const open = vscode.l10n.t('Open Setting');
    const answer = await vscode.window.showInformationMessage(
      vscode.l10n.t(
        'The editor’s own chat does not take your MCP servers: the setting "{0}", which your organization may manage, does not allow it. @mcp and the MCP view work all the same.',
        setting,
      ),
      open,
    );
    if (answer === open) {
      await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${setting}`);
    }
  }
}
