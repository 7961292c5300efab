/** Registers commands so that an error reaches the user as a sentence, with the log one click away. */
import * as vscode from 'vscode';
import { isCancelled } from '../../mcp/errors.ts';
import type { OutputLogs } from './logs.ts';
import { tellError } from './tellError.ts';
import { commandId, type CommandName, commandNames } from '../ids.ts';
import { errorStack } from '../text/errorText.ts';

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

const names = [
  'usePrompt',
  'useSkill',
  'showSkill',
  'goToResource',
  'attachToChat',
  'openResource',
  'openTemplate',
  'addResourceToChat',
  'saveResource',
  'copyResourceUri',
  'watchResource',
  'stopWatchingResource',
  'compareResource',
  'runTool',
  'openResultPart',
  'saveResultPart',
  'chooseTools',
  'openSettings',
  'showRoots',
  'forgetConsents',
  'forgetInputs',
  'manageApprovals',
  'diagnoseServer',
] as const satisfies readonly CommandName[];

export type WorkbenchCommands = Required<Pick<CommandHandlers, (typeof names)[number]>>;

export function workbenchCommands(
  load: () => { readonly commands: WorkbenchCommands },
): CommandHandlers {
  return Object.fromEntries(
    names.map((name) => [name, (argument: unknown) => load().commands[name](argument)]),
  );
}
