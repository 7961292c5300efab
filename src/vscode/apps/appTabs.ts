/** The apps in tabs: opens one for each call, brings them back after a reload of the window, ends the oldest hidden ones. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isObject, isString } from '../../base/json.ts';
import { lazilyLoaded } from '../../base/lazily.ts';
import type { ServerMemory } from '../../host/servers/serverMemory.ts';
import type { Memory } from '../../host/storage.ts';
import { McpError } from '../../mcp/errors.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { type KeptFile, KeptRuns } from '../text/keptRuns.ts';
import { safeFileName } from '../text/resultFiles.ts';
import { report } from '../editor/registerCommands.ts';
import type { ToolCall, ToolRun } from '../tools/resultDocument.ts';
import type { CallTab } from '../tools/runTool.ts';
import { AppPage } from './appPage.ts';
import {
  type AppCall,
  type AppRun,
  callOf,
  KeptAppRuns,
  newAppCall,
  newChatRun,
  rememberAppServer,
  viewTypeOf,
} from './appRun.ts';
import { AppTab, type AppTabParts, appTitle } from './appTab.ts';

/** Apps that run in tabs which nobody sees; of more, the one that was seen longest ago is ended. */
export const maxHiddenApps = 5;

export interface AppTabsParts extends Omit<AppTabParts, 'script'> {
  /** The extension's own folder. */
  readonly storage: vscode.Uri;
  /** Of the workspace. */
  readonly memory: Memory;
  readonly serverMemory: Pick<ServerMemory, 'open'>;
}

/** Calls in answers of the chat, whose apps can be opened: the name of each is its id. */
interface OfferedCall extends KeptFile {
  readonly run: AppRun;
}

/** The argument of the button that opens the app of a call. The editor keeps it with the answer. */
export interface OfferedApp {
  readonly call: string;
  readonly kept: number;
}

export class AppTabs implements Disposable {
  readonly #parts: AppTabsParts;
  readonly #kept: KeptAppRuns;
  /** The one that was seen last comes last. */
  readonly #tabs = new Set<AppTab>();
  readonly #offered: KeptRuns<OfferedCall>;
  readonly #script = lazilyLoaded(() =>
    readFile(path.join(import.meta.dirname, 'appPage.js'), 'utf8'),
  );

  constructor(parts: AppTabsParts) {
    this.#parts = parts;
    this.#kept = new KeptAppRuns(path.join(parts.storage.fsPath, 'apps'));
    this.#offered = new KeptRuns(parts.serverMemory.open());
  }

  /** Opens the app of a tool for a call that begins. */
  show(tool: Tool, call: ToolCall, run: Promise<ToolRun>): CallTab {
    const shown = newAppCall(tool, call, run);
    const show = (): Promise<void> => this.#show(shown, vscode.ViewColumn.Active);
    const opened = show().catch(this.#report);
    const isSeen = async (): Promise<boolean> => {
      await opened;
      return this.#tabOf(shown.id)?.panel.visible === true;
    };
    return { isSeen, show };
  }

  /** Keeps a call for {@link openOffered}, as long as there is memory. @returns the argument for that */
  offer(tool: Tool, run: ToolRun): OfferedApp {
    const app = newChatRun(tool, run);
    const bytes = Buffer.from(JSON.stringify(app));
    return { call: app.id, kept: this.#offered.add([{ name: app.id, bytes, run: app }]) };
  }

  /** Shows the app of a call in an answer of the chat, in the tab that it has already if there is one. */
  async openOffered(argument: unknown): Promise<void> {
    const { call, kept } = isObject(argument) ? argument : {};
    const open = this.#tabOf(call);
    const offered = isString(call) ? this.#offered.file(Number(kept), call) : undefined;
    if (open !== undefined) {
      open.panel.reveal();
    } else if (offered !== undefined) {
      await this.#show(callOf(offered.run), besideChat());
    } else {
      throw new McpError(
        'invalidInput',
        vscode.l10n.t('The call is not kept any more. Ask for it again.'),
      );
    }
  }

  async #show(call: AppCall, viewColumn: vscode.ViewColumn): Promise<void> {
    const script = await this.#script();
    const open = this.#tabOf(call.id);
    if (open !== undefined) {
      open.panel.reveal(); // the second of two clicks
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      viewTypeOf(call.request.serverId),
      appTitle(call),
      { viewColumn },
      { ...pageOptions, retainContextWhenHidden: true },
    );
    const tab = this.#add(call, panel, script);
    tab.start().catch(this.#report);
    rememberAppServer(this.#parts.memory, call.request.serverId).catch(this.#report);
    call.run.then(
      (run) => this.#keep(tab, run),
      () => tab.endWithoutResult(),
    );
  }

  /** Unless the tab was closed meanwhile. */
  #keep(tab: AppTab, run: ToolRun): void {
    const { id, tool, inChat = false } = tab.call;
    if (this.#tabs.has(tab)) {
      this.#kept.keep({ id, tool, run, inChat }).catch(this.#report);
    }
  }

  readonly #report = (error: unknown): void => report(error, this.#parts.logs);

  #tabOf(call: unknown): AppTab | undefined {
    return [...this.#tabs].find((tab) => tab.call.id === call);
  }

  /** Fills a tab after a reload of the window. The editor shows the page only once this has returned. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    this.#restore(panel, state).catch(this.#report);
  }

  async #restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    panel.webview.options = pageOptions;
    const { call } = isObject(state) ? state : {};
    const run = isString(call) ? await this.#kept.read(call) : undefined;
    if (run === undefined) {
      await this.#tellLost(panel);
      return;
    }
    await this.#add(callOf(run), panel, await this.#script()).restore();
  }

  /** Starts the app in front anew. */
  async reload(): Promise<void> {
    await this.#front().start('anew');
  }

  /** Shows the HTML of the app in front. */
  async showSource(): Promise<void> {
    const { source, call } = this.#front();
    if (source === undefined) {
      throw new McpError(
        'invalidInput',
        vscode.l10n.t('The app has not been read from its server yet.'),
      );
    }
    const name = `${safeFileName(call.tool.name)}.html`;
    const uri = this.#parts.keepFile({ name, bytes: Buffer.from(source) });
    if (uri !== undefined) {
      await vscode.window.showTextDocument(uri, { preview: true });
    }
  }

  /** Shows the result of the app in front without the app. */
  async showText(): Promise<void> {
    await this.#front().showText();
  }

  /** Ends all. The panels belong to the editor, which restores them after a reload. */
  dispose(): void {
    this.#tabs.forEach((tab) => tab.dispose());
    this.#tabs.clear();
  }

  #front(): AppTab {
    const tab = [...this.#tabs].find(({ panel }) => panel.active);
    if (tab === undefined) {
      throw new McpError('invalidInput', vscode.l10n.t('No app is in front.'));
    }
    return tab;
  }

  async #tellLost(panel: vscode.WebviewPanel): Promise<void> {
    const script = await this.#script();
    const page = new AppPage(panel.webview, { script, state: {}, onEvent: () => undefined });
    panel.onDidDispose(() => page.dispose());
    const text = vscode.l10n.t(
      'The app is not here any more: its result was not kept over the reload of the window. Run the tool again.',
    );
    page.notify({ text, buttons: [] });
    await page.clear();
  }

  #add(call: AppCall, panel: vscode.WebviewPanel, script: string): AppTab {
    const tab = new AppTab(call, panel, { ...this.#parts, script });
    this.#tabs.add(tab);
    panel.onDidChangeViewState(() => this.#seen(tab));
    panel.onDidDispose(() => {
      this.#tabs.delete(tab);
      tab.dispose();
      void this.#kept.drop(call.id);
    });
    tab.onDidChange(() => this.#endOldest());
    return tab;
  }

  #seen(tab: AppTab): void {
    // Also when it is hidden: until then it was seen.
    if (this.#tabs.delete(tab)) {
      this.#tabs.add(tab);
    }
    this.#endOldest();
  }

  #endOldest(): void {
    const hidden = [...this.#tabs].filter(({ isLive, panel }) => isLive && !panel.visible);
    for (const tab of hidden.slice(0, Math.max(0, hidden.length - maxHiddenApps))) {
      void tab.retire(
        vscode.l10n.t(
          'This app was ended: more than {0} apps were running in tabs that are not seen.',
          maxHiddenApps,
        ),
      );
    }
  }
}

/** A chat may be an editor, too: its tab has no input that the API knows. */
function besideChat(): vscode.ViewColumn {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  const mayBeChat = activeTab !== undefined && activeTab.input === undefined;
  return mayBeChat ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
}

const pageOptions: vscode.WebviewOptions = {
  enableScripts: true,
  enableForms: true,
  enableCommandUris: false,
  localResourceRoots: [],
};
