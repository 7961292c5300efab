/** The open inspectors, at most one per server. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isObject, isString } from '../../base/json.ts';
import { lazilyLoaded } from '../../base/lazily.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { inspectorViewType } from '../ids.ts';
import {
  type InspectedServer,
  InspectorPanel,
  inspectorTitle,
  type PanelParts,
} from './inspectorPanel.ts';

export type InspectorParts = Omit<PanelParts, 'script'>;

interface OpenInspector {
  readonly panel: vscode.WebviewPanel;
  /** Is disposed with the panel. */
  readonly store: DisposableStore;
}

export class Inspectors implements Disposable {
  readonly #parts: InspectorParts;
  readonly #open = new Map<ServerId, OpenInspector>();
  readonly #script = lazilyLoaded(() =>
    readFile(path.join(import.meta.dirname, 'inspectorPage.js'), 'utf8'),
  );

  constructor(parts: InspectorParts) {
    this.#parts = parts;
  }

  async show(connection: ServerConnection): Promise<void> {
    const title = inspectorTitle(connection.config.name);
    if (!this.#open.has(connection.id)) {
      await this.#closeUndrawn(title);
    }
    const open = this.#open.get(connection.id);
    if (open !== undefined) {
      open.panel.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      inspectorViewType,
      title,
      { viewColumn: vscode.ViewColumn.Active },
      pageOptions,
    );
    await this.#fill(panel, { id: connection.id, name: connection.config.name });
  }

  /** Fills a panel after a reload of the window. Waits for a server that is not there yet. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { server: id, name = id } = isObject(state) ? state : {};
    if (!isString(id) || !isString(name) || this.#open.has(id)) {
      panel.dispose();
      return;
    }
    panel.webview.options = pageOptions;
    await this.#fill(panel, { id, name });
  }

  /**
   * Closes tabs that were not shown since the window reloaded. The editor has no panel for such a tab until then, so it
   * could not be shown, and would become a second inspector of the server.
   */
  async #closeUndrawn(title: string): Promise<void> {
    if ([...this.#open.values()].some(({ panel }) => panel.title === title)) {
      return; // the tab of another server with this name
    }
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input, label }) => isOurs(input) && label === title);
    await vscode.window.tabGroups.close(tabs, true);
  }

  /** Stops observing. The panels belong to the editor, which restores them after a reload. */
  dispose(): void {
    this.#open.forEach(({ store }) => store.dispose());
    this.#open.clear();
  }

  async #fill(panel: vscode.WebviewPanel, server: InspectedServer): Promise<void> {
    const store = new DisposableStore();
    // Before any wait: the inspector may be asked for again meanwhile.
    this.#open.set(server.id, { panel, store });
    panel.onDidDispose(() => {
      this.#open.delete(server.id);
      store.dispose();
    });
    const script = await this.#script().catch((error: unknown) => {
      // An empty panel would be shown again instead of another try.
      panel.dispose();
      throw error;
    });
    if (this.#open.get(server.id)?.panel === panel) {
      store.add(new InspectorPanel(server, panel, { ...this.#parts, script }));
    }
  }
}

/** The editor puts its own prefix before the type. */
function isOurs(input: unknown): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(inspectorViewType);
}

const pageOptions: vscode.WebviewOptions = {
  enableScripts: true,
  enableForms: false,
  enableCommandUris: false,
  localResourceRoots: [],
};
