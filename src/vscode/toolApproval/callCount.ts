/** In the status bar, how often MCP apps have called tools since the window was opened: nobody is asked about each call. */
import * as vscode from 'vscode';
import type { AppApprovals } from '../../host/toolApproval/appApprovals.ts';
import { commandId } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';

/** Tools that the tooltip names. */
const maxTools = 20;

/** There from the first call on. */
export function callCount(apps: Pick<AppApprovals, 'calls' | 'onDidCall'>): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'mcpHost.appCalls',
    vscode.StatusBarAlignment.Right,
    49,
  );
  item.name = vscode.l10n.t('Tool calls of MCP apps');
  item.command = commandId('manageApprovals');
  const listening = apps.onDidCall(() => {
    const { calls } = apps;
    const sum = calls.reduce((total, { times }) => total + times, 0);
    const tools = calls
      .toSorted((a, b) => b.times - a.times)
      .slice(0, maxTools)
      .map(
        ({ server, label, times }) => `${oneLine(server, 60)} · ${oneLine(label, 60)}: ${times}`,
      );
    item.text = `$(window) ${vscode.l10n.t('App calls: {0}', sum)}`;
    item.tooltip = [
      vscode.l10n.t('Apps have called tools of their servers since this window was opened:'),
      ...tools,
      vscode.l10n.t('A click opens Manage Approvals, which takes a permission back.'),
    ].join('\n');
    item.show();
  });
  return vscode.Disposable.from(item, listening);
}
