/** Prepares launches on this machine. */
import { localMachine } from './localMachine.ts';
import { loginShell } from './loginShell.ts';
import type { LaunchInspector } from './launchInspection.ts';
import type { ProcessTrees } from '../../mcp/ownProcess.ts';
import type { LaunchGate } from './prepareLaunch.ts';
import { LaunchPreparation, type LaunchReviewer } from './launchPreparation.ts';

/** @param trees watches the process that asks the login shell; called only when that is needed */
export function createLaunchGate(
  parts: Omit<ConstructorParameters<typeof LaunchPreparation>[0], 'machine'>,
  trees: () => ProcessTrees,
): LaunchGate & LaunchInspector & LaunchReviewer {
  return new LaunchPreparation({ ...parts, machine: localMachine(loginShell(trees)) });
}
