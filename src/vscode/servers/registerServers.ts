/** Registers what shows and commands the servers, besides their view: status bar, commands, context keys. */
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Registry } from '../commands/registerCommands.ts';
import type { ConfigSource } from '../config/configSource.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { tellContexts } from './contexts.ts';
import { serverCommands } from './serverCommands.ts';
import { ServerStatusBar } from './statusBar.ts';

export function registerServers({
  own,
  addCommands,
  config,
  host,
  logs,
  questions,
}: Registry & {
  readonly config: ConfigSource;
  readonly host: McpHost;
  readonly logs: OutputLogs;
  readonly questions: QuestionQueue;
}): void {
  own(new ServerStatusBar(host, config));
  own(tellContexts(host));
  addCommands(serverCommands(host, logs, questions));
}
