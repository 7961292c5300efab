/** Registers commands so that an error reaches the user as a sentence, with the log one click away. */
import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { isCancelled } from '../../mcp/errors.ts';
import type { OutputLogs } from './logs.ts';
import { tellError } from './tellError.ts';
import { commandId, type CommandName, commandNames } from '../ids.ts';
import { errorStack } from '../text/errorText.ts';

/**
 * Results are ignored: commands of this extension have none.
 * @param argument such as the row that was clicked
 * @param all what is selected with it, itself included, if the command came from a menu
 */
type CommandHandler = (argument: unknown, all?: unknown) => Promise<void> | void;

export type CommandHandlers = Partial<Record<CommandName, CommandHandler>>;

/** Where a room puts its parts and its commands. */
export interface Registry {
  /** Disposes a part with the extension. */
  readonly own: <T extends vscode.Disposable>(part: T) => T;
  readonly addCommands: (handlers: CommandHandlers) => void;
}

export function registerCommands(handlers: CommandHandlers, logs: OutputLogs): vscode.Disposable {
  const names = commandNames.filter((name) => name in handlers);
  const registrations = names.map((name) =>
    vscode.commands.registerCommand(commandId(name), async (argument: unknown, all: unknown) => {
      const run = async (one: unknown): Promise<void> => {
        try {
          await handlers[name]?.(one, all);
        } catch (error) {
          report(error, logs);
        }
      };
      await Promise.all((onEach.has(name) ? rowsOf(argument, all) : [argument]).map(run));
    }),
  );
  return vscode.Disposable.from(...registrations);
}

/** They act on each selected row. */
const onEach: ReadonlySet<CommandName> = new Set([
  'startServer',
  'stopServer',
  'restartServer',
  'refreshServer',
  'switchServerOff',
  'switchServerOn',
  'watchResource',
  'stopWatchingResource',
  'addFavorite',
  'removeFavorite',
]);

/** The selected rows of the kind of the row that was clicked. */
function rowsOf(argument: unknown, all: unknown): readonly unknown[] {
  return isObject(argument) && Array.isArray(all) && all.includes(argument)
    ? all.filter((one) => isObject(one) && one['kind'] === argument['kind'])
    : [argument];
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
  'useFileInPrompt',
  'useSelectionInPrompt',
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
  'changeInput',
  'forgetInputs',
  'manageApprovals',
  'diagnoseServer',
  'signIn',
  'cancelSignIn',
  'signOut',
  'forgetRegistration',
  'showStoredSignIns',
  'manageAccountAccess',
] as const satisfies readonly CommandName[];

export type WorkbenchCommands = Required<Pick<CommandHandlers, (typeof names)[number]>>;

export function workbenchCommands(
  load: () => { readonly commands: WorkbenchCommands },
): CommandHandlers {
  return Object.fromEntries(
    names.map((name) => [
      name,
      (...given: Parameters<CommandHandler>) => load().commands[name](...given),
    ]),
  );
}
