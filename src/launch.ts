/**
 * Entry point of the bundle that prepares launches: description and risks for the consent, variables,
 * environment. The extension loads it when the first server is looked at, and imports it by type only.
 */
import { localMachine } from './host/config/localMachine.ts';
import { LaunchPreparation } from './host/consent/launchPreparation.ts';
import type { LaunchInspector } from './host/diagnosis/launchInspection.ts';
import type { LaunchGate } from './host/servers/prepareLaunch.ts';

export function createLaunchGate(
  parts: Omit<ConstructorParameters<typeof LaunchPreparation>[0], 'machine'>,
): LaunchGate & LaunchInspector {
  return new LaunchPreparation({ ...parts, machine: localMachine() });
}
