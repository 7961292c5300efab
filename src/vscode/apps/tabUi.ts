/** What the app in a tab sees of the editor, and what it may ask for: links, messages to the chat, files, display modes. */
import * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import type { AppFile, AppUi } from '../../host/apps/appUi.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import { describeLink } from '../../host/elicitation/describeLink.ts';
import { askerOf } from '../../host/questions/asker.ts';
import { later, type QuestionQueue } from '../../host/questions/questionQueue.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { DisplayMode, HostContext } from '../../mcp/types/apps.ts';
import type { ContentBlock } from '../../mcp/types/content.ts';
import { openChat } from '../editor/openChat.ts';
import { saveFile } from '../editor/saveFile.ts';
import { openExternal } from '../editor/uris.ts';
import { confirmLink } from '../elicitation/linkDialog.ts';
import { oneLine } from '../text/labelText.ts';
import { safeFileName } from '../text/resultFiles.ts';
import type { KeepFile } from '../text/wholeText.ts';
import type { AppPage } from './appPage.ts';
import type { AppRun } from './appRun.ts';

export interface DialogParts {
  readonly host: Pick<McpHost, 'servers'>;
  readonly questions: QuestionQueue;
  readonly keepFile: KeepFile;
}

/** Both fill the tab: `inline` is the tab in its place, `fullscreen` the tab in place of all groups of editors. */
const modes: readonly DisplayMode[] = ['inline', 'fullscreen'];

export class TabUi implements AppUi {
  readonly #run: AppRun;
  readonly #panel: vscode.WebviewPanel;
  readonly #page: AppPage;
  readonly #parts: DialogParts;
  /** Fired also when the page's surroundings change. */
  readonly changed = new Emitter<void>();
  #mode: DisplayMode = 'inline';
  readonly onDidChangeContext = this.changed.event;
  readonly message = {
    modalities: ['text'] as const,
    add: async (content: readonly ContentBlock[]): Promise<boolean> => draftMessage(content),
  };

  constructor(run: AppRun, panel: vscode.WebviewPanel, page: AppPage, parts: DialogParts) {
    this.#run = run;
    this.#panel = panel;
    this.#page = page;
    this.#parts = parts;
  }

  readonly context = (): Omit<HostContext, 'toolInfo'> => {
    const { surroundings } = this.#page;
    const { version, env, UIKind } = vscode;
    return {
      displayMode: this.#mode,
      availableDisplayModes: modes,
      locale: env.language,
      userAgent: `${env.appName}/${version}`,
      platform: env.uiKind === UIKind.Web ? 'web' : 'desktop',
      ...(surroundings && {
        theme: surroundings.theme,
        styles: { variables: surroundings.variables },
        containerDimensions: { width: surroundings.width, height: surroundings.height },
        timeZone: surroundings.timeZone,
        deviceCapabilities: { touch: surroundings.touch, hover: surroundings.hover },
      }),
    };
  };

  /** A tab has a size of its own. */
  resize(): void {}

  async openLink(url: string, signal: AbortSignal): Promise<boolean> {
    const server = this.#server;
    const link = describeLink(url);
    if (server === undefined || link.kind === 'unusable') {
      return false;
    }
    const asker = { ...askerOf(server), isApp: true };
    const isAllowed = await this.#parts.questions.run<boolean>(
      { server: server.name, serverId: server.id, about: 'elicitation', text: link.href },
      async (turn) => {
        const answer = await confirmLink({ asker, message: '', link }, this.#parts.keepFile, turn);
        return answer === 'later' ? later : answer === 'accept';
      },
      signal,
    );
    return isAllowed && openExternal(link.href);
  }

  /** The editor tells nobody whether groups of editors are maximized: what the user does with them is not seen. */
  async setDisplayMode(mode: DisplayMode): Promise<DisplayMode> {
    if (mode !== this.#mode && modes.includes(mode)) {
      this.#panel.reveal();
      await vscode.commands.executeCommand('workbench.action.toggleMaximizeEditorGroup');
      this.#mode = mode;
      this.changed.fire();
    }
    return this.#mode;
  }

  async saveFile({ name, bytes }: AppFile): Promise<boolean> {
    const title = vscode.l10n.t(
      'The app of MCP server "{0}" wants to save a file',
      oneLine(this.#run.run.server, 60),
    );
    return saveFile({ title, name: safeFileName(name) }, () => bytes);
  }

  get #server(): ServerConfig | undefined {
    return this.#parts.host.servers.get(this.#run.run.serverId)?.config;
  }
}

/** Drafts a message in the chat: the user sends it, or not. */
async function draftMessage(content: readonly ContentBlock[]): Promise<boolean> {
  const query = content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n\n');
  if (query === '') {
    return false;
  }
  await openChat(
    { query },
    { query, told: vscode.l10n.t('The message of the app is on the clipboard, for your chat.') },
  );
  return true;
}
