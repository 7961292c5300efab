/** Sets the context keys of `when` clauses and walkthrough steps in package.json. */
import * as vscode from 'vscode';
import type { McpHost } from '../../host/servers/host.ts';
import { contextKeys } from '../ids.ts';

export function tellContexts({ servers }: Pick<McpHost, 'servers'>): void {
  const hasErrors = [...servers.values()].some(({ state }) => state.kind === 'failed');
  tell(contextKeys.hasErrors, hasErrors);
  tell(contextKeys.hasServers, servers.size > 0);
}

function tell(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
