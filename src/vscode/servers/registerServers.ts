/** Registers what shows and commands the servers, besides their view: status bar, commands, context keys. */
import * as vscode from 'vscode';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import type { WorkspaceSwitches } from '../../host/config/workspaceSwitches.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Registry } from '../editor/registerCommands.ts';
import type { ConfigSource } from '../config/configSource.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { contextKeys } from '../ids.ts';
import { serverCommands } from './serverCommands.ts';
import { showStatusBar } from './statusBar.ts';

export function registerServers({
  own,
  addCommands,
  config,
  host,
  logs,
  questions,
  switches,
}: Registry & {
  readonly config: ConfigSource;
  readonly host: McpHost;
  readonly logs: OutputLogs;
  readonly questions: QuestionQueue;
  readonly switches: WorkspaceSwitches;
}): void {
  showStatusBar(own, host, config);
  own(tellContexts(host));
  addCommands(serverCommands(host, logs, questions, switches));
}

function tellContexts(host: McpHost): vscode.Disposable {
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
