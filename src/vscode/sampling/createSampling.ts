/** Creates the parts that let servers use the editor's language models. */
import { Sampling, type SamplingServices } from '../../host/sampling/sampling.ts';
import { SamplingBudget } from '../../host/sampling/samplingBudget.ts';
import { SamplingSettings } from '../../host/sampling/samplingSettings.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { TrustedServers } from '../../host/toolApproval/trustedServers.ts';
import type { Memory } from '../../host/storage.ts';
import type { Clock } from '../../base/clock.ts';
import { EditorSamplingUi } from './editorSamplingUi.ts';
import type { TextEditing } from '../text/textEditing.ts';
import { manageSampling } from './samplingManage.ts';
import { editorModels } from '../models/editorModel.ts';
import type { KeepFile } from '../text/wholeText.ts';

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
