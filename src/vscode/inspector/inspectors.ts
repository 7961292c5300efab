/** The open inspectors, at most one per server. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isObject, isString } from '../../base/json.ts';
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

export class Inspectors implements Disposable {
  readonly #parts: InspectorParts;
  readonly #open = new Map<ServerId, InspectorPanel>();
  /** The code of the page. Read before there is a panel, which would stay empty without it. */
  readonly #script = readFileSync(path.join(import.meta.dirname, 'inspectorPage.js'), 'utf8');

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
    this.#fill(panel, { id: connection.id, name: connection.config.name });
  }

  /** Fills a panel after a reload of the window. Waits for a server that is not there yet. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const { server: id, name = id } = isObject(state) ? state : {};
    if (!isString(id) || !isString(name) || this.#open.has(id)) {
      panel.dispose();
      return;
    }
    panel.webview.options = pageOptions;
    this.#fill(panel, { id, name });
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
    this.#open.forEach((inspector) => inspector.dispose());
    this.#open.clear();
  }

  #fill(panel: vscode.WebviewPanel, server: InspectedServer): void {
    const inspector = new InspectorPanel(server, panel, { ...this.#parts, script: this.#script });
    this.#open.set(server.id, inspector);
    panel.onDidDispose(() => {
      this.#open.delete(server.id);
      inspector.dispose();
    });
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
