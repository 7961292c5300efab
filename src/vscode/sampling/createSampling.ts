/** Creates the parts that let servers use the editor's language models. */
import { Sampling, type SamplingServices } from '../../host/sampling/sampling.ts';
import { SamplingBudget } from '../../host/sampling/samplingBudget.ts';
import { SamplingSettings } from '../../host/sampling/samplingSettings.ts';
import type { HostConfig } from '../../host/config/serverConfig.ts';
import type { TrustedServers } from '../../host/toolApproval/trustedServers.ts';
import type { Memory } from '../../host/storage.ts';
import { systemClock } from '../../base/clock.ts';
import { EditorSamplingUi } from './editorSamplingUi.ts';
import type { OutputLogs } from '../editor/logs.ts';
import type { TextEditing } from '../text/textEditing.ts';
import { manageSampling } from './samplingManage.ts';
import { editorModels } from '../models/editorModel.ts';
import type { KeepFile } from '../text/wholeText.ts';

export interface SamplingParts {
  readonly sampling: Sampling;
  readonly manage: () => Promise<void>;
}

export function createSampling(
  services: Pick<SamplingServices, 'questions' | 'audit'> & {
    readonly config: { readonly current: HostConfig };
    readonly editing: () => TextEditing;
    readonly keepFile: KeepFile;
    readonly logs: OutputLogs;
    /** Of the workspace. */
    readonly memory: Memory;
    readonly trusted: TrustedServers;
  },
): SamplingParts {
  const { audit, config, editing, keepFile, logs, memory, questions, trusted } = services;
  const settings = new SamplingSettings(memory, trusted);
  const budget = new SamplingBudget(systemClock);
  const models = editorModels;
  return {
    sampling: new Sampling({
      questions,
      log: (server) => logs.open(server).log,
      audit,
      settings,
      budget,
      models,
      ui: new EditorSamplingUi(editing(), keepFile),
    }),
    manage: () =>
      manageSampling({
        servers: () => config.current.servers.filter(({ hiddenBy }) => hiddenBy === undefined),
        settings,
        budget,
        models,
        isTrusted: (server) => trusted.isTrusted(server),
      }),
  };
}
