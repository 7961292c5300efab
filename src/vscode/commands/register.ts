/** Registers commands so that an error reaches the user as a sentence, with the log one click away. */
import * as vscode from 'vscode';
import { isCancelled } from '../../mcp/errors.ts';
import { errorStack, errorText } from '../errorText.ts';
import { type CommandName, commandIds } from '../ids.ts';
import type { OutputLogs } from '../logs.ts';

/** Returns nothing that anybody waits for: commands of this extension have no results. */
export type CommandHandlers = Partial<
  Record<CommandName, (argument: unknown) => Promise<void> | void>
>;

export function registerCommands(handlers: CommandHandlers, logs: OutputLogs): vscode.Disposable {
  const names = Object.keys(commandIds).filter((name): name is CommandName => name in handlers);
  const registrations = names.map((name) =>
    vscode.commands.registerCommand(commandIds[name], async (argument: unknown) => {
      try {
        await handlers[name]?.(argument);
      } catch (error) {
        // Not awaited: a message stays until it is closed, and the command is over before that.
        void report(error, logs);
      }
    }),
  );
  return vscode.Disposable.from(...registrations);
}

/** Not awaited by those who have done their work: the message stays until it is closed. */
export async function report(error: unknown, logs: OutputLogs): Promise<void> {
  if (isCancelled(error)) {
    return;
  }
  logs.hostLog.error(errorStack(error));
  const showLog = vscode.l10n.t('Show Log');
  const answer = await vscode.window.showErrorMessage(errorText(error), showLog);
  if (answer === showLog) {
    logs.showHost();
  }
}
