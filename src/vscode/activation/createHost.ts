/** Creates the host of the servers: it runs those of the settings. */
import { systemClock } from '../../base/clock.ts';
import { gateAfter } from '../../host/launch/launchGate.ts';
import { type AskHandlers, featuresFor } from '../../host/servers/features.ts';
import { McpHost } from '../../host/servers/host.ts';
import type { ConfigSource } from '../config/configSource.ts';
import { offersSkills, showsApps } from '../config/editorWorkspace.ts';
import { Development } from '../dev/development.ts';
import { followLevels } from '../editor/logs.ts';
import type { SignInParts } from '../signIn/signInParts.ts';
import type { Launching } from './createLaunching.ts';
import type { Questions } from './createQuestions.ts';
import type { Shared } from './shared.ts';

export function createHost(
  parts: Shared &
    Questions &
    Launching &
    SignInParts &
    Pick<AskHandlers, 'sampling'> & { readonly config: ConfigSource },
): McpHost {
  const { own, bundles, config, launchGate, logs, questions } = parts;
  const development = own(new Development(bundles.workbench));
  const host = own(
    new McpHost({
      ...parts,
      features: (server) =>
        featuresFor(server, {
          ...parts,
          extensions: config.extensions,
          apps: showsApps(),
          skills: offersSkills(),
        }),
      gate: gateAfter(() => config.firstLook(), {
        prepare: async (server, signal) =>
          development.noted(server, await launchGate().prepare(server, signal)),
        readiness: async (server) => launchGate().readiness(server),
        isHeldUp: (id) => questions.isHeldUp(id),
      }),
      clock: systemClock,
    }),
  );
  development.follow(host, logs);
  own(followLevels(logs, host));
  own(config.onDidChange((current) => host.reconcile(current)));
  return host;
}
