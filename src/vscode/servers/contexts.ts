/** Sets the context keys of `when` clauses and walkthrough steps in package.json, whenever a server changes. */
import * as vscode from 'vscode';
import type { McpHost } from '../../host/servers/host.ts';
import { contextKeys } from '../ids.ts';

export function tellContexts(host: McpHost): vscode.Disposable {
  const tellAll = (): void => {
    const hasErrors = [...host.servers.values()].some(({ state }) => state.kind === 'failed');
    tell(contextKeys.hasErrors, hasErrors);
    tell(contextKeys.hasServers, host.servers.size > 0);
  };
  return vscode.Disposable.from(host.onDidChangeServers(tellAll), host.onDidChangeServer(tellAll));
}

function tell(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
