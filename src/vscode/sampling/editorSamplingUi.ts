/**
 * The dialogs of sampling, from the first question to the answer: the modal before the model gets the request, the modal
 * before the server gets the answer, reviews and edits of both, the pick of another model. Decides nothing.
 */
import * as vscode from 'vscode';
import { onAbort, settlesWithin } from '../../base/async.ts';
import { askerOf } from '../../host/questions/asker.ts';
import {
  answerText,
  readAnswerText,
  readRequestText,
  requestText,
} from '../../host/sampling/requestText.ts';
import type {
  AnswerDraft,
  RequestDraft,
  SamplingNotice,
  SamplingScope,
  SamplingUi,
} from '../../host/sampling/samplingUi.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import type { ServerConfig, HostConfig } from '../../host/config/serverConfig.ts';
import type { Model } from '../../host/models/model.ts';
import { cancellable } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import type { Html } from '../text/html.ts';
import { safeFileName, type ResultFile } from '../text/resultFiles.ts';
import { type KeepFile, readWhole } from '../text/wholeText.ts';
import { askerText } from '../questions/modal.ts';
import type { Edit, TextEditing } from '../text/textEditing.ts';
import { commandId } from '../ids.ts';
import { modelText, noticeText, requestHtml } from './samplingText.ts';
import { Sampling, type SamplingServices } from '../../host/sampling/sampling.ts';
import { SamplingBudget } from '../../host/sampling/samplingBudget.ts';
import { SamplingSettings } from '../../host/sampling/samplingSettings.ts';
import type { TrustedServers } from '../../host/toolApproval/trustedServers.ts';
import type { Memory } from '../../host/storage.ts';
import { systemClock } from '../../base/clock.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { manageSampling } from './samplingManage.ts';
import { editorModels } from '../models/editorModel.ts';
import { askAnswer, askApproval, changeModel, pickScope } from './samplingDialogs.ts';

interface SamplingParts {
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
  const ui = new EditorSamplingUi(editing(), keepFile);
  const log: SamplingServices['log'] = (server) => logs.open(server).log;
  const budget = new SamplingBudget({ clock: systemClock, ui, log });
  const models = editorModels;
  return {
    sampling: new Sampling({ questions, log, audit, settings, budget, models, ui }),
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

/** A faster answer shows no progress: the editor drops notifications that come too quickly. */
const quickMs = 700;

class EditorSamplingUi implements SamplingUi {
  readonly #editing: TextEditing;
  readonly #keep: KeepFile;

  constructor(editing: TextEditing, keep: KeepFile) {
    this.#editing = editing;
    this.#keep = keep;
  }

  async approve(draft: RequestDraft, turn: Turn): Promise<SamplingScope | 'deny' | 'later'> {
    while (!turn.signal.aborted) {
      const answer = await askApproval(draft);
      if (answer !== 'review' && answer !== 'remember') {
        return answer;
      }
      const end = await (answer === 'review'
        ? this.#reviewRequest(draft, turn)
        : pickScope(draft, turn));
      if (end !== undefined) {
        return end;
      }
    }
    return 'deny';
  }

  async review(draft: AnswerDraft, turn: Turn): Promise<'send' | 'discard' | 'later'> {
    while (!turn.signal.aborted) {
      const answer = await askAnswer(draft);
      if (answer !== 'review') {
        return answer;
      }
      if ((await this.#reviewAnswer(draft, turn)) === 'later') {
        return 'later';
      }
    }
    return 'discard';
  }

  async #reviewRequest(draft: RequestDraft, turn: Turn): Promise<'later' | undefined> {
    const { server, revision, request, choice } = draft;
    const name = `sampling-request-${safeFileName(server.name)}`;
    const end = await this.#edit(
      vscode.l10n.t('Sampling request of the MCP server "{0}"', oneLine(server.name, 60)),
      requestHtml(request, server.name, modelText(choice)),
      {
        name,
        ...requestText(request),
        hint: (use) =>
          vscode.l10n.t(
            'Change what the model gets from "{0}", then choose "{1}" above. Nothing is sent before you allow it.',
            oneLine(server.name, 60),
            use,
          ),
        read: (text) => readRequestText(text, request, revision),
      },
      turn,
      (edited) => {
        draft.request = edited;
        draft.isEdited = true;
      },
      [{ label: `$(sparkle) ${vscode.l10n.t('Change Model…')}`, end: 'model' as const }],
    );
    return end === 'model' ? changeModel(draft, turn) : end;
  }

  async #reviewAnswer(draft: AnswerDraft, turn: Turn): Promise<'later' | undefined> {
    const { server, revision, answer } = draft;
    const { content } = answer;
    const { language, text } = answerText(content);
    const name = `answer-for-${safeFileName(server.name)}`;
    const end = await this.#edit(
      vscode.l10n.t('Answer to the MCP server "{0}"', oneLine(server.name, 60)),
      { name: `${name}.${language === 'json' ? 'json' : 'txt'}`, bytes: Buffer.from(text) },
      {
        name,
        language,
        text,
        hint: (use) =>
          vscode.l10n.t(
            'Change what "{0}" gets as the answer, then choose "{1}" above. Nothing is sent before you choose Send.',
            oneLine(server.name, 60),
            use,
          ),
        read: (changed) => readAnswerText(changed, content, revision),
      },
      turn,
      (edited) => {
        draft.answer = { ...answer, content: edited };
        draft.isEdited = true;
      },
    );
    return end === 'later' ? end : undefined;
  }

  /** Shows the whole text, and edits it if the user wants that. */
  async #edit<T>(
    title: string,
    whole: ResultFile | Html,
    edit: Edit<T>,
    turn: Turn,
    take: (edited: T) => void,
    more: readonly (vscode.QuickPickItem & { readonly end: 'model' })[] = [],
  ): Promise<'later' | 'model' | undefined> {
    const placeHolder = vscode.l10n.t('Nothing has been sent yet');
    const item = {
      label: `$(edit) ${vscode.l10n.t('Edit…')}`,
      description: vscode.l10n.t('change what is sent'),
      end: 'edit' as const,
    };
    const end = await readWhole<'edit' | 'model'>(
      { title, placeHolder, whole, more: [item, ...more] },
      this.#keep,
      turn,
    );
    const edited = end === 'edit' ? await this.#editing.run(edit, turn.signal) : undefined;
    if (edited !== undefined) {
      take(edited);
    }
    return end === 'edit' || end === 'back' ? undefined : end;
  }

  async whileAsking<T>(
    server: ServerConfig,
    model: Model,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const stop = new AbortController();
    const running = task(AbortSignal.any([signal, stop.signal]));
    if (!(await settlesWithin(running, quickMs))) {
      const title = vscode.l10n.t(
        '{0} answers the MCP server "{1}"…',
        oneLine(model.name, 60),
        oneLine(server.name, 60),
      );
      await cancellable(title, async (cancelled) => {
        onAbort(cancelled, () => stop.abort());
        await running.catch(() => undefined); // the caller gets the error below
      });
    }
    return running;
  }

  /** With a button, so that the editor shows all of the text. */
  tell(server: ServerConfig, notice: SamplingNotice): void {
    const isSpent = notice.kind === 'spent';
    const button = isSpent
      ? vscode.l10n.t('Allow as Much Again')
      : vscode.l10n.t('Manage Sampling…');
    const text = noticeText(askerText(askerOf(server)), notice);
    void vscode.window.showWarningMessage(text, button).then((picked) => {
      if (picked === undefined) {
        return undefined;
      }
      return isSpent
        ? notice.allowMore()
        : vscode.commands.executeCommand(commandId('manageSampling'));
    });
  }
}
