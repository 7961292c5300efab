/** What the app in a tab sees of the editor, and what it may ask for: links, messages to the chat, files, display modes. */
import * as vscode from 'vscode';
import { Sequencer, settlesWithin } from '../../base/async.ts';
import { Emitter } from '../../base/event.ts';
import type { AppContexts } from '../../host/apps/appContexts.ts';
import { maxModelContextChars } from '../../host/apps/appRequests.ts';
import type { AppFile, AppUi } from '../../host/apps/appUi.ts';
import type { ServerConfig, ServerId } from '../../host/config/serverConfig.ts';
import { describeLink } from '../../host/elicitation/describeLink.ts';
import { type Asker, askerOf } from '../../host/questions/asker.ts';
import { later, type QuestionQueue, type Turn } from '../../host/questions/questionQueue.ts';
import type { DisplayMode, HostContext, ModelContext } from '../../mcp/types/apps.ts';
import type { ContentBlock } from '../../mcp/types/content.ts';
import { openChat } from '../editor/openChat.ts';
import { saveFile } from '../editor/saveFile.ts';
import { openExternal } from '../editor/uris.ts';
import { confirmLink } from '../elicitation/linkDialog.ts';
import { askerText, askReviewed } from '../questions/modal.ts';
import { excerpt, manyLines, oneLine, quoted } from '../text/labelText.ts';
import { safeFileName } from '../text/resultFiles.ts';
import { type KeepFile, textFile } from '../text/wholeText.ts';
import type { AppPage } from './appPage.ts';
import type { AppCall } from './appRun.ts';

export interface DialogParts {
  readonly host: { readonly servers: ReadonlyMap<ServerId, { readonly config: ServerConfig }> };
  readonly questions: QuestionQueue;
  readonly contexts: Pick<AppContexts, 'set'>;
  readonly keepFile: KeepFile;
}

/** Whatever may be drawn as one: each line of a message is marked. */
const lineEnd = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;
/** Of a message in its dialog. */
const maxShownChars = 1_500;
const maxShownLines = 20;

/**
 * Both fill the tab: `inline` is the tab in its place, `fullscreen` the tab in place of all groups of editors, which it is
 * in an only group anyway.
 */
const modes: readonly DisplayMode[] = ['inline', 'fullscreen'];
/** For the editor to learn that a page has the focus, which it asks every 250, in milliseconds. */
const focusMs = 500;
/** For the page to have another size, in milliseconds. */
const resizeMs = 2_000;

export class TabUi implements AppUi {
  readonly #call: AppCall;
  readonly #panel: vscode.WebviewPanel;
  readonly #page: AppPage;
  readonly #parts: DialogParts;
  readonly #changed = new Emitter<void>();
  readonly #modeChanges = new Sequencer();
  #mode: DisplayMode = 'inline';
  /** Those of the page when it did not have the room of all groups. */
  #inlinePixels = 0;
  /** While a command is to change the size of the page. */
  #onSize: (() => void) | undefined;
  readonly onDidChangeContext = this.#changed.event;
  readonly message = {
    modalities: ['text'] as const,
    add: (content: readonly ContentBlock[], signal: AbortSignal): Promise<boolean> =>
      this.#draft(content, signal),
  };
  readonly modelContext = {
    modalities: ['text', 'structuredContent'] as const,
    set: (context: ModelContext | undefined): void => {
      const { id: call, request, inChat = false } = this.#call;
      this.#parts.contexts.set({ call, server: request.server, inChat }, context);
    },
  };

  constructor(call: AppCall, panel: vscode.WebviewPanel, page: AppPage, parts: DialogParts) {
    this.#call = call;
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
    const isAllowed = await this.#ask(server, link.href, signal, (asker, turn) =>
      confirmLink({ asker, message: '', link }, this.#parts.keepFile, turn),
    );
    return isAllowed && openExternal(link.href);
  }

  /** The page has told its surroundings. Groups may have been restored by hand, or by use of another one. */
  surroundingsChanged(): void {
    this.#onSize?.();
    if (hasOtherGroups() && (this.#pixels <= this.#inlinePixels || !this.#panel.active)) {
      this.#mode = 'inline';
    }
    this.#changed.fire();
  }

  /** An app whose tab the user does not use changes no groups. */
  setDisplayMode(mode: DisplayMode): Promise<DisplayMode> {
    return this.#modeChanges.run(async () => {
      const active = await this.#isUsed();
      if (active && hasOtherGroups()) {
        // Of two, the first undid what was done by hand.
        let isResized = true;
        for (let times = 0; isResized && times < 2 && this.#mode !== mode; times += 1) {
          isResized = await this.#toggleGroups();
        }
      } else if (mode !== this.#mode && (active || mode === 'inline')) {
        this.#mode = mode;
        this.#inlinePixels = this.#pixels;
        this.#changed.fire();
      }
      return this.#mode;
    });
  }

  /** The editor learns of a click in a page later than the app. */
  async #isUsed(): Promise<boolean> {
    const panel = this.#panel;
    if (!panel.active) {
      let listening: vscode.Disposable | undefined;
      const shown = new Promise<void>((resolve) => {
        listening = panel.onDidChangeViewState(() => resolve());
      });
      await settlesWithin(shown, focusMs);
      listening?.dispose();
    }
    return panel.active;
  }

  /**
   * One command maximizes the group, and restores all. The editor tells nobody which of both it did, but for the size of
   * the page. @returns whether it has another one
   */
  async #toggleGroups(): Promise<boolean> {
    const before = this.#pixels;
    const resized = new Promise<void>((resolve) => {
      this.#onSize = () => {
        const now = this.#pixels;
        if (now !== before) {
          this.#mode = now > before ? 'fullscreen' : 'inline';
          this.#inlinePixels = Math.min(before, now);
          resolve();
        }
      };
    });
    await vscode.commands.executeCommand('workbench.action.toggleMaximizeEditorGroup');
    const isResized = await settlesWithin(resized, resizeMs);
    this.#onSize = undefined;
    return isResized;
  }

  /** How many the page has. */
  get #pixels(): number {
    const { width = 0, height = 0 } = this.#page.surroundings ?? {};
    return width * height;
  }

  async saveFile({ name, bytes }: AppFile, signal: AbortSignal): Promise<boolean> {
    const server = this.#server;
    if (server === undefined) {
      return false;
    }
    const title = vscode.l10n.t(
      'The app of MCP server "{0}" wants to save a file',
      oneLine(this.#call.request.server, 60),
    );
    // The dialog may be an input of the editor.
    const keyboard = this.#panel.active ? {} : ({ takesKeyboard: true } as const);
    return this.#parts.questions.run<boolean>(
      { server: server.name, serverId: server.id, about: 'elicitation', text: name, ...keyboard },
      async (turn) =>
        saveFile({ title, name: safeFileName(name) }, () => {
          turn.signal.throwIfAborted();
          return bytes;
        }),
      signal,
    );
  }

  #ask(
    server: ServerConfig,
    text: string,
    signal: AbortSignal,
    confirm: (asker: Asker, turn: Turn) => Promise<string | undefined>,
  ): Promise<boolean> {
    const asker = { ...askerOf(server), isApp: true };
    return this.#parts.questions.run<boolean>(
      { server: server.name, serverId: server.id, about: 'elicitation', text },
      async (turn) => {
        const answer = await confirm(asker, turn);
        return answer === 'later' ? later : answer === 'accept';
      },
      signal,
    );
  }

  /** Puts the message into the chat's input after the user has read it: the user sends it, or not. */
  async #draft(content: readonly ContentBlock[], signal: AbortSignal): Promise<boolean> {
    const server = this.#server;
    const said = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    const lines = said.join('\n\n').replaceAll(lineEnd, '\n').trim();
    const text = manyLines(lines, maxModelContextChars);
    if (server === undefined || text === '') {
      return false;
    }
    const isAllowed = await this.#ask(server, text, signal, (asker, turn) =>
      confirmMessage({ asker, text }, this.#parts.keepFile, turn),
    );
    if (isAllowed) {
      const query = draftOf(server.name, text);
      const told = vscode.l10n.t('The message of the app is on the clipboard, for your chat.');
      await openChat({ query }, { query, told });
    }
    return isAllowed;
  }

  get #server(): ServerConfig | undefined {
    return this.#parts.host.servers.get(this.#call.request.serverId)?.config;
  }
}

function hasOtherGroups(): boolean {
  return vscode.window.tabGroups.all.length > 1;
}

/** The whole message, before it is put into the chat. */
async function confirmMessage(
  { asker, text }: { readonly asker: Asker; readonly text: string },
  keep: KeepFile,
  turn: Turn,
): Promise<'accept' | 'decline' | 'later' | undefined> {
  const shown = excerpt(text, maxShownChars, maxShownLines);
  return askReviewed(
    {
      message: vscode.l10n.t('{0} wants to write to @mcp.', askerText(asker)),
      lines: [
        vscode.l10n.t('The app says:'),
        quoted(shown.text),
        '',
        vscode.l10n.t(
          'It is put into the input of the chat, in place of what is there. You send it, or not.',
        ),
      ],
      isCut: shown.left > 0,
      whole: {
        title: vscode.l10n.t('Message of the app of “{0}”', oneLine(asker.name, 60)),
        placeHolder: vscode.l10n.t('Nothing is in the chat yet'),
        file: textFile(`message-of-${asker.name}`, text),
      },
      buttons: [
        { title: vscode.l10n.t('Put into Chat'), answer: 'accept', commits: true },
        { title: vscode.l10n.t('Decline'), answer: 'decline', isCloseAffordance: true },
        { title: vscode.l10n.t('Later'), answer: 'later' },
      ],
    },
    keep,
    turn,
  );
}

/** Marked as the app's, line by line; it never begins with a command of `@mcp`. */
function draftOf(server: string, text: string): string {
  const lines = text.split('\n').map((line) => `> ${line}`);
  return [`@mcp ${vscode.l10n.t('The app of “{0}” says:', oneLine(server, 60))}`, ...lines].join(
    '\n',
  );
}
