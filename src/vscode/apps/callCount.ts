/** In the status bar, how often the app in front has called tools since it was opened: nobody is asked about each call. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { commandId } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';

/** Calls by the label of the tool. */
export type CallCounts = ReadonlyMap<string, number>;

export class CallCount implements Disposable {
  readonly #item = vscode.window.createStatusBarItem(
    'mcpHost.appCalls',
    vscode.StatusBarAlignment.Right,
    49,
  );

  constructor() {
    this.#item.name = vscode.l10n.t('Tool calls of the MCP app in front');
    this.#item.command = commandId('manageApprovals');
  }

  /** @param counts undefined: no app is in front */
  show(counts: CallCounts = new Map()): void {
    const sum = [...counts.values()].reduce((total, count) => total + count, 0);
    if (sum === 0) {
      this.#item.hide();
      return;
    }
    const tools = [...counts].map(([label, count]) => `${oneLine(label, 60)}: ${count}`);
    this.#item.text = `$(window) ${vscode.l10n.t('App calls: {0}', sum)}`;
    this.#item.tooltip = [
      vscode.l10n.t('The app in front has called tools of its server:'),
      ...tools,
      vscode.l10n.t('A click opens Manage Approvals, which takes a permission back.'),
    ].join('\n');
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
