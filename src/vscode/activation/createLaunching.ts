/** Creates what prepares the start of a server: consents, inputs, and the gate that every start passes. */
import { lazily } from '../../base/lazily.ts';
import type { Audit } from '../../host/audit/audit.ts';
import type { createLaunchGate } from '../../host/launch/launchPreparation.ts';
import { InputValues } from '../../host/launch/inputs.ts';
import { StartConsent } from '../../host/launch/startConsent.ts';
import type { ConfigSource } from '../config/configSource.ts';
import { workspaceId } from '../config/editorWorkspace.ts';
import type { Questions } from './createQuestions.ts';
import type { Shared } from './shared.ts';

export type Launching = ReturnType<typeof createLaunching>;

type GateParts = Parameters<typeof createLaunchGate>[0];

export function createLaunching(
  parts: Shared & Questions & { readonly audit: Audit; readonly config: ConfigSource },
) {
  const { audit, bundles, config, contributed, memory, prompt, questions, roots, workspace } =
    parts;
  const inputs = new InputValues(parts.secrets, prompt, workspaceId(), questions);
  const consents = new StartConsent(workspace, prompt, memory, questions, audit);
  const own = { workspace, roots, inputs: contributed.inputs(inputs) };
  const gate = (given: Omit<GateParts, keyof typeof own>): ReturnType<typeof createLaunchGate> =>
    bundles.servers().createLaunchGate({ ...own, ...given }, () => bundles.servers().reaper);
  return {
    inputs,
    consents,
    /** For a server that is not in the settings. */
    gate,
    /** For the servers of the settings. */
    launchGate: lazily(() => gate({ config: () => config.current, consent: consents })),
  };
}
