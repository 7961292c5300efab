/**
 * Entry point of the bundle that prepares launches: description and risks for the consent, variables,
 * environment. The extension loads it when the first server is looked at, and imports it by type only.
 * The process that asks the login shell runs the same program.
 */
import { localMachine } from './host/config/localMachine.ts';
import { loginShell, loginShellMark, tellLoginShell } from './host/config/loginShell.ts';
import { LaunchPreparation, type LaunchReviewer } from './host/consent/launchPreparation.ts';
import type { LaunchInspector } from './host/diagnosis/launchInspection.ts';
import type { ProcessTrees } from './host/processTrees.ts';
import type { LaunchGate } from './host/servers/prepareLaunch.ts';

export { readJsonWithComments } from './host/config/jsonWithComments.ts';

/** @param protocol the bundle that watches processes, loaded when it comes to one */
export function createLaunchGate(
  parts: Omit<ConstructorParameters<typeof LaunchPreparation>[0], 'machine'>,
  protocol: () => { readonly reaper: ProcessTrees },
): LaunchGate & LaunchInspector & LaunchReviewer {
  const askShell = loginShell(() => protocol().reaper);
  return new LaunchPreparation({ ...parts, machine: localMachine(askShell) });
}

const [, , mark, shell] = process.argv;
if (mark === loginShellMark) {
  void tellLoginShell(shell);
}
