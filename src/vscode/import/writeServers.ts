/** Writes chosen servers: values of secrets to the secret storage, the rest to the settings. */
import type { InputValues } from '../../host/launch/inputs.ts';
import { type ChosenServer, type ImportPlan, planImport } from '../../host/import/planImport.ts';
import type { SettingsTarget } from './settingsTarget.ts';

export type KeptInputs = Pick<InputValues, 'keep' | 'discard' | 'stored'>;

/** What would be written. Uses no id of an existing input. */
export async function plan(
  chosen: readonly ChosenServer[],
  { scope, inputIds }: SettingsTarget,
  inputs: KeptInputs,
): Promise<ImportPlan> {
  const kept = (await inputs.stored()).filter((stored) => stored.scope === scope.kind);
  return planImport(chosen, [...inputIds, ...kept.map(({ id }) => id)]);
}

/**
 * @returns the names of the servers
 * @throws McpError `invalidConfig` when the settings cannot be written; no value is kept then
 */
export async function writeServers(
  written: ImportPlan,
  target: SettingsTarget,
  inputs: KeptInputs,
): Promise<readonly string[]> {
  // Values first: a server starts as soon as it is written.
  await keepValues(written, target, inputs);
  try {
    await target.add(written);
  } catch (error) {
    await discardValues(written, target, inputs);
    throw error;
  }
  return Object.keys(written.servers);
}

export async function keepValues(
  { values }: ImportPlan,
  { scope }: SettingsTarget,
  inputs: KeptInputs,
): Promise<void> {
  for (const [id, value] of values) {
    await inputs.keep(scope, id, value);
  }
}

/** Discards the values of all inputs that are new with the servers, including those that a trial asked for. */
export async function discardValues(
  { values, inputs: added }: ImportPlan,
  { scope }: SettingsTarget,
  inputs: KeptInputs,
): Promise<void> {
  for (const id of new Set([...values.keys(), ...added.map((input) => input.id)])) {
    await inputs.discard(scope, id);
  }
}
