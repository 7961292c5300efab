/** Puts together what lets servers use the language models of the editor. */
import { Sampling, type SamplingServices } from '../../host/asks/sampling/sampling.ts';
import { SamplingBudget } from '../../host/asks/sampling/samplingBudget.ts';
import { SamplingSettings } from '../../host/asks/sampling/samplingSettings.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { TrustedServers } from '../../host/consent/trustedServers.ts';
import type { Memory } from '../../host/ports.ts';
import type { Clock } from '../../host/servers/clock.ts';
import { EditorSamplingUi } from './editorSamplingUi.ts';
import type { TextEditing } from './textEditing.ts';
import { manageSampling } from './samplingManage.ts';
import { editorModels } from '../models/editorModel.ts';
import type { KeepFile } from '../wholeText.ts';

export interface SamplingParts {
  readonly sampling: Sampling;
  readonly manage: () => Promise<void>;
}

export function createSampling(
  services: Pick<SamplingServices, 'questions' | 'log' | 'audit'> & {
    readonly memory: Memory;
    readonly trusted: TrustedServers;
    readonly clock: Clock;
    readonly servers: () => readonly ServerConfig[];
    readonly keepFile: KeepFile;
    readonly editing: TextEditing;
  },
): SamplingParts {
  const { questions, log, audit, memory, trusted, clock, servers, editing } = services;
  const settings = new SamplingSettings(memory, trusted);
  const budget = new SamplingBudget(clock);
  const models = editorModels;
  return {
    sampling: new Sampling({
      questions,
      log,
      audit,
      settings,
      budget,
      models,
      ui: new EditorSamplingUi(editing, services.keepFile),
    }),
    manage: () =>
      manageSampling({
        servers,
        settings,
        budget,
        models,
        isTrusted: (server) => trusted.isTrusted(server),
      }),
  };
}
