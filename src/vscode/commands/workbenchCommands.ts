/** Commands whose code, the workbench's bundle, is loaded with the first of them. */
import type { CommandName } from '../ids.ts';
import type { CommandHandlers } from './registerCommands.ts';

const names = [
  'usePrompt',
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
