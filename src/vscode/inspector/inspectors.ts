/** The inspectors that are open, one for a server at most. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { isObject } from '../../base/json.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { inspectorViewType } from '../ids.ts';
import { InspectorPanel, type PanelParts } from './inspectorPanel.ts';

export type InspectorParts = Omit<PanelParts, 'script'>;

export class Inspectors {
  readonly #parts: InspectorParts;
  readonly #open = new Map<ServerId, vscode.WebviewPanel>();
  #script: Promise<string> | undefined;

  constructor(parts: InspectorParts) {
    this.#parts = parts;
  }

  async show(connection: ServerConnection): Promise<void> {
    const open = this.#open.get(connection.id);
    if (open !== undefined) {
      open.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      inspectorViewType,
      connection.config.name,
      { viewColumn: vscode.ViewColumn.Active },
      pageOptions,
    );
    await this.#fill(panel, connection);
  }

  /** After a reload of the window. A server that is gone leaves no inspector behind. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = isObject(state) ? state['server'] : undefined;
    const connection = typeof id === 'string' ? this.#parts.host.servers.get(id) : undefined;
    if (connection === undefined || this.#open.has(connection.id)) {
      panel.dispose();
      return;
    }
    panel.webview.options = pageOptions;
    await this.#fill(panel, connection);
  }

  async #fill(panel: vscode.WebviewPanel, connection: ServerConnection): Promise<void> {
    // Before anything is waited for: the server may be asked for a second time meanwhile.
    this.#open.set(connection.id, panel);
    const store = new DisposableStore();
    panel.onDidDispose(() => {
      this.#open.delete(connection.id);
      store.dispose();
    });
    this.#script ??= readFile(path.join(import.meta.dirname, 'inspectorPage.js'), 'utf8');
    const script = await this.#script;
    if (this.#open.get(connection.id) === panel) {
      store.add(new InspectorPanel(connection, panel, { ...this.#parts, script }));
    }
  }
}

const pageOptions: vscode.WebviewOptions = {
  enableScripts: true,
  enableForms: false,
  enableCommandUris: false,
  localResourceRoots: [],
};
