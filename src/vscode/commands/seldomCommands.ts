/** Commands that are seldom run: their code is loaded with the first of them. */
import type * as commands from '../../commands.ts';
import type { CommandName } from '../ids.ts';
import type { ApprovalCommandServices } from './approvalCommands.ts';
import type { CommandHandlers } from './register.ts';
import type { SettingsServices } from './settingsCommands.ts';

export function seldomCommands(
  bundle: () => typeof commands,
  services: SettingsServices & ApprovalCommandServices,
): CommandHandlers {
  return {
    ...late(['openSettings', 'showRoots', 'forgetConsents', 'forgetInputs'], () =>
      bundle().settingsCommands(services),
    ),
    ...late(['manageApprovals'], () => bundle().approvalCommands(services)),
  };
}

function late(names: readonly CommandName[], load: () => CommandHandlers): CommandHandlers {
  return Object.fromEntries(
    names.map((name) => [name, (argument: unknown) => load()[name]?.(argument)]),
  );
}
