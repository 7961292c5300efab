/**
 * Entry point of the bundle that lets servers use the editor's language models. The extension loads it
 * when a server first samples or its commands are run, and imports it by type only.
 */
import { Sampling, type SamplingServices } from './host/asks/sampling/sampling.ts';
import { SamplingBudget } from './host/asks/sampling/samplingBudget.ts';
import { SamplingSettings } from './host/asks/sampling/samplingSettings.ts';
import type { ServerConfig } from './host/config/serverConfig.ts';
import type { TrustedServers } from './host/consent/trustedServers.ts';
import type { Memory } from './host/ports.ts';
import type { Clock } from './host/servers/clock.ts';
import { EditorSamplingUi } from './vscode/asks/editorSamplingUi.ts';
import { type EditText, TextEditing } from './vscode/asks/textEditing.ts';
import { manageSampling } from './vscode/asks/samplingManage.ts';
import { editorModels } from './vscode/models/editorModel.ts';
import type { KeepFile } from './vscode/wholeText.ts';

/** For this bundle's own copy of the event code: what no caller can receive goes where the extension says. */
export { setUnexpectedErrorHandler } from './base/event.ts';

export interface SamplingParts {
  readonly sampling: Sampling;
  readonly manage: () => Promise<void>;
  /** Ends the editing of a request or an answer in the active editor. */
  readonly finishEdit: (isUsed: boolean) => void;
  /** The same editing for other texts. */
  readonly edit: EditText;
}

export function createSampling(
  services: Pick<SamplingServices, 'questions' | 'log' | 'audit'> & {
    readonly memory: Memory;
    readonly trusted: TrustedServers;
    readonly clock: Clock;
    readonly servers: () => readonly ServerConfig[];
    readonly keepFile: KeepFile;
  },
): SamplingParts {
  const { questions, log, audit, memory, trusted, clock, servers } = services;
  const editing = new TextEditing();
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
    finishEdit: (isUsed) => editing.finish(isUsed),
    edit: (text, signal) => editing.run(text, signal),
  };
}
