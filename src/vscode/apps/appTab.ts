/**
 * One app in an editor tab: reads its view, puts it into the page, and runs its host for the call that it shows. Whatever
 * goes wrong becomes a sentence in the tab; the result as text is always there.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { AppHost } from '../../host/apps/appHost.ts';
import type { Apps } from '../../host/apps/apps.ts';
import type { HowRead, UiResource } from '../../host/apps/uiResource.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { UiPermission } from '../../mcp/types/apps.ts';
import { report } from '../editor/registerCommands.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { errorText } from '../text/errorText.ts';
import { oneLine } from '../text/labelText.ts';
import { AppPage, type PageEvent } from './appPage.ts';
import type { AppCall } from './appRun.ts';
import { goneText, outdatedText, outsideText } from './appTexts.ts';
import type { ToolRun } from '../tools/resultDocument.ts';
import type { ShownApps } from '../../host/apps/shownApps.ts';
import { type DialogParts, TabUi } from './tabUi.ts';
import type { NoticeAction, NoticeView } from './shellMessages.ts';

export interface AppTabParts extends DialogParts {
  readonly host: Pick<McpHost, 'servers' | 'onDidChangeServer'>;
  readonly logs: OutputLogs;
  readonly apps: Apps;
  readonly shownApps: ShownApps;
  /** Shows the result without the app. */
  readonly showText: (run: ToolRun) => void;
  /** The code of the page. */
  readonly script: string;
}

export function appTitle({ tool, request }: AppCall): string {
  return vscode.l10n.t(
    '{0} · app of {1}',
    oneLine(displayLabel(tool), 60),
    oneLine(request.server, 60),
  );
}

/** The editor refuses its webviews the others. */
const grantable: readonly UiPermission[] = ['clipboardWrite'];

export class AppTab implements Disposable {
  readonly call: AppCall;
  readonly panel: vscode.WebviewPanel;
  readonly #parts: AppTabParts;
  readonly #store = new DisposableStore();
  readonly #page: AppPage;
  readonly #ui: TabUi;
  readonly #changed = this.#store.add(new Emitter<void>());
  /** The page that was read last, of the server as it was then. */
  #view: { readonly server: ServerConfig; readonly resource: UiResource } | undefined;
  /** Undefined: none runs, or it is being ended. */
  #app: AppHost | undefined;
  /** Whom the app in the page talks to, to its very end. */
  #partner: AppHost | undefined;
  #starting = new AbortController();
  /** Starts as soon as its server runs. */
  #waits = false;
  /** It starts to live, or ends. */
  readonly onDidChange = this.#changed.event;

  constructor(call: AppCall, panel: vscode.WebviewPanel, parts: AppTabParts) {
    this.call = call;
    this.panel = panel;
    this.#parts = parts;
    panel.title = appTitle(call);
    panel.iconPath = new vscode.ThemeIcon('window');
    this.#page = this.#store.add(
      new AppPage(panel.webview, {
        script: parts.script,
        state: { server: call.request.serverId, call: call.id },
        onEvent: (event) => this.#onPage(event),
      }),
    );
    this.#ui = new TabUi(call, panel, this.#page, parts);
    this.#store.add(parts.host.onDidChangeServer(() => this.#onServer()));
  }

  /** Whether the app runs. */
  get isLive(): boolean {
    return this.#app !== undefined;
  }

  /** The app's HTML; undefined before it was read. */
  get source(): string | undefined {
    return this.#view?.resource.html;
  }

  /**
   * Starts the app anew, with the same input and result.
   * @param how which page the user wants
   */
  async start(how?: HowRead): Promise<void> {
    const signal = this.#anew();
    this.#waits = false;
    await this.#end(vscode.l10n.t('The app is loaded again.'));
    if (signal.aborted) {
      return;
    }
    const connection = this.#connection;
    if (connection === undefined) {
      await this.#stay(goneText(this.#server), ['text']);
      return;
    }
    const resource = await this.#read(connection, signal, how);
    if (resource === undefined || signal.aborted) {
      return;
    }
    this.#view = { server: connection.config, resource };
    const consent = this.#parts.shownApps.consent(connection.config, resource);
    if (consent !== 'given') {
      const text = outsideText(this.#server, resource.policy.csp, consent);
      await this.#stay(text, ['allow', 'text']);
      return;
    }
    await this.#page.show(resource, this.panel.title);
    if (!signal.aborted) {
      this.#begin(connection, resource);
    }
  }

  /** Undefined when it cannot be shown, which the tab says. */
  async #read(
    connection: ServerConnection,
    signal: AbortSignal,
    how: HowRead | undefined,
  ): Promise<UiResource | undefined> {
    const uri = this.#parts.apps.viewOf(connection, this.call.tool);
    if (uri === undefined) {
      await this.#stay(vscode.l10n.t('Apps of this server are switched off in the settings.'));
      return undefined;
    }
    try {
      return await this.#parts.apps.read(connection, uri, signal, how);
    } catch (error) {
      if (!signal.aborted) {
        connection.output.log.error(errorText(error));
        await this.#stay(errorText(error));
      }
      return undefined;
    }
  }

  /** Shows the app again after a reload of the window, as soon as its server runs. */
  async restore(): Promise<void> {
    const connection = this.#connection;
    if (connection?.state.kind === 'ready') {
      await this.start();
      return;
    }
    this.#waits = true;
    if (connection === undefined) {
      await this.#stay(goneText(this.#server), ['text']);
      return;
    }
    const text = vscode.l10n.t('The app is here again when MCP server "{0}" runs.', this.#server);
    await this.#stay(text, ['run', 'text']);
  }

  /** Shows the result without the app, as soon as it is there. @throws McpError why there is none */
  async showText(): Promise<void> {
    this.#parts.showText(await this.call.run);
  }

  /** The call has ended without a result, which the app is told. One that has not started has nothing to show. */
  endWithoutResult(): void {
    if (this.#app?.state.kind !== 'ready') {
      this.panel.dispose();
    }
  }

  /** Ends the app, and says why in its place. */
  async retire(why: string): Promise<void> {
    const signal = this.#anew();
    await this.#end(why);
    if (!signal.aborted) {
      await this.#stay(why);
    }
  }

  /** Ends the start or end that is under way. */
  #anew(): AbortSignal {
    this.#starting.abort();
    this.#starting = new AbortController();
    return this.#starting.signal;
  }

  async #end(why: string): Promise<void> {
    const app = this.#app;
    this.#app = undefined;
    if (app !== undefined) {
      await app.close(why);
      this.#changed.fire();
    }
  }

  dispose(): void {
    this.#starting.abort();
    this.#app = undefined;
    this.#partner?.dispose();
    this.#store.dispose();
  }

  get #connection(): ServerConnection | undefined {
    return this.#parts.host.servers.get(this.call.request.serverId);
  }

  #begin(server: ServerConnection, resource: UiResource): void {
    const { id, tool, request, run } = this.call;
    const app = this.#parts.apps.open({
      server,
      call: { id, tool, input: request.input, outcome: run.then(({ result }) => result) },
      resource,
      post: (message) => this.#page.post({ kind: 'message', message }),
      ui: this.#ui,
      granted: resource.permissions.filter((permission) => grantable.includes(permission)),
    });
    this.#app = app;
    this.#partner = app;
    app.onDidChange((state) => {
      if (this.#app !== app) {
        return;
      }
      switch (state.kind) {
        case 'ready':
          this.#page.notify(undefined);
          break;
        case 'silent':
          this.#page.notify(this.#notice(state.reason));
          break;
        case 'failed':
          this.#ended(state.reason);
          break;
        case 'closed': // not by this tab, which would know no app any more
          if (this.#connection === server) {
            // At once: its server may not answer. The start says what the user has taken back.
            this.#run(() => this.#page.clear().then(() => this.start()));
          } else {
            this.#ended((this.#connection === undefined ? goneText : outdatedText)(this.#server));
          }
          break;
        case 'loading':
          break;
      }
    });
    app.onDidWantClose(() => this.#run(() => this.#close()));
    this.#changed.fire();
  }

  #ended(why: string): void {
    this.#app = undefined;
    this.#changed.fire();
    this.#run(() => this.#stay(why));
  }

  async #close(): Promise<void> {
    await this.#end(vscode.l10n.t('The app has asked to be closed.'));
    this.panel.dispose();
  }

  /** A sentence in place of the app. */
  async #stay(text: string, actions: readonly NoticeAction[] = ['reload', 'text']): Promise<void> {
    this.#page.notify(this.#notice(text, actions));
    await this.#page.clear();
  }

  #notice(text: string, actions: readonly NoticeAction[] = ['reload', 'text']): NoticeView {
    const labels = {
      reload: vscode.l10n.t('Reload App'),
      text: vscode.l10n.t('Open Result as Text'),
      run: vscode.l10n.t('Start Server'),
      allow: vscode.l10n.t('Show App'),
    };
    return { text, buttons: actions.map((action) => ({ action, label: labels[action] })) };
  }

  #onPage(event: PageEvent): void {
    switch (event.kind) {
      case 'message':
        this.#partner?.receive(event.message);
        break;
      case 'flood':
        this.#partner?.flood();
        break;
      case 'lost':
        this.#partner?.dispose();
        this.#run(() => this.start());
        break;
      case 'surroundings':
        this.#ui.surroundingsChanged();
        break;
      case 'trouble':
        // Limited, since the app itself can send them, too.
        this.#connection?.output.notification({
          level: 'warning',
          logger: 'app',
          data: oneLine(event.text, 1_000),
        });
        break;
      case 'action':
        this.#act(event.action);
        break;
    }
  }

  #act(action: NoticeAction): void {
    switch (action) {
      case 'reload':
        this.#run(() => this.start('anew'));
        break;
      case 'text':
        this.#run(() => this.showText());
        break;
      case 'allow':
        this.#run(() => this.#allow());
        break;
      case 'run':
        this.#run(async () => {
          await this.#connection?.start();
        });
        break;
    }
  }

  async #allow(): Promise<void> {
    if (this.#view !== undefined) {
      await this.#parts.shownApps.add(this.#view.server, this.#view.resource);
    }
    await this.start('kept');
  }

  #onServer(): void {
    if (this.#waits && this.#connection?.state.kind === 'ready') {
      this.#run(() => this.start());
    }
  }

  get #server(): string {
    return oneLine(this.call.request.server, 60);
  }

  #run(work: () => Promise<void>): void {
    work().catch((error: unknown) => report(error, this.#parts.logs));
  }
}
