/** Registers commands so that an error reaches the user as a sentence, with the log one click away. */
import * as vscode from 'vscode';
import { isCancelled } from '../../mcp/errors.ts';
import { errorStack } from '../text/errorText.ts';
import { type CommandName, commandId, commandNames } from '../ids.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { tellError } from '../editor/tellError.ts';

/** Results are ignored: commands of this extension have none. */
export type CommandHandlers = Partial<
  Record<CommandName, (argument: unknown) => Promise<void> | void>
>;

/** Where a room puts its parts and its commands. */
export interface Registry {
  /** Disposes a part with the extension. */
  readonly own: <T extends vscode.Disposable>(part: T) => T;
  readonly addCommands: (handlers: CommandHandlers) => void;
}

export function registerCommands(handlers: CommandHandlers, logs: OutputLogs): vscode.Disposable {
  const names = commandNames.filter((name) => name in handlers);
  const registrations = names.map((name) =>
    vscode.commands.registerCommand(commandId(name), async (argument: unknown) => {
      try {
        await handlers[name]?.(argument);
      } catch (error) {
        report(error, logs);
      }
    }),
  );
  return vscode.Disposable.from(...registrations);
}

/** Shows the error, but does not wait: the message stays until it is closed. */
export function report(error: unknown, logs: OutputLogs): void {
  if (isCancelled(error)) {
    return;
  }
  logs.hostLog.error(errorStack(error));
  void tellError(error, () => logs.showHost());
}
