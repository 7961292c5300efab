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
import { cancellable, withToken } from '../text/cancellation.ts';
import { scopeText } from '../config/scopeText.ts';
import { oneLine } from '../text/labelText.ts';
import { safeFileName, type ResultFile } from '../text/resultFiles.ts';
import { type KeepFile, readWhole } from '../text/wholeText.ts';
import { askModal, askerText } from '../questions/modal.ts';
import type { Edit, TextEditing } from '../text/textEditing.ts';
import { commandId } from '../ids.ts';
import {
  answerLines,
  modelText,
  nameOf,
  noticeText,
  requestLines,
  requestMarkdown,
} from './samplingText.ts';
import { Sampling, type SamplingServices } from '../../host/sampling/sampling.ts';
import { SamplingBudget } from '../../host/sampling/samplingBudget.ts';
import { SamplingSettings } from '../../host/sampling/samplingSettings.ts';
import type { TrustedServers } from '../../host/toolApproval/trustedServers.ts';
import type { Memory } from '../../host/storage.ts';
import { systemClock } from '../../base/clock.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { manageSampling, modelItems } from './samplingManage.ts';
import { editorModels } from '../models/editorModel.ts';

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
      if (answer !== 'review' && answer !== 'model') {
        return answer;
      }
      const end = await (answer === 'review'
        ? this.#reviewRequest(draft, turn)
        : changeModel(draft, turn));
      if (end === 'later') {
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

  #reviewRequest(draft: RequestDraft, turn: Turn): Promise<'later' | undefined> {
    const { server, revision, request, choice } = draft;
    const name = `sampling-request-${safeFileName(server.name)}`;
    const whole = requestMarkdown(request, server.name, modelText(choice));
    return this.#edit(
      vscode.l10n.t('Sampling request of the MCP server "{0}"', oneLine(server.name, 60)),
      { name: `${name}.md`, bytes: Buffer.from(whole) },
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
    );
  }

  #reviewAnswer(draft: AnswerDraft, turn: Turn): Promise<'later' | undefined> {
    const { server, revision, answer } = draft;
    const { content } = answer;
    const { language, text } = answerText(content);
    const name = `answer-for-${safeFileName(server.name)}`;
    return this.#edit(
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
  }

  /** Shows the whole text, and edits it if the user wants that. */
  async #edit<T>(
    title: string,
    file: ResultFile,
    edit: Edit<T>,
    turn: Turn,
    take: (edited: T) => void,
  ): Promise<'later' | undefined> {
    const placeHolder = vscode.l10n.t('Nothing has been sent yet');
    const item = {
      label: `$(edit) ${vscode.l10n.t('Edit…')}`,
      description: vscode.l10n.t('change what is sent'),
      end: 'edit' as const,
    };
    const end = await readWhole({ title, placeHolder, file, more: [item] }, this.#keep, turn);
    const edited = end === 'edit' ? await this.#editing.run(edit, turn.signal) : undefined;
    if (edited !== undefined) {
      take(edited);
    }
    return end === 'later' ? end : undefined;
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

type Approval = SamplingScope | 'review' | 'model' | 'later' | 'deny';

async function askApproval(draft: RequestDraft): Promise<Approval> {
  const { server, choice, request, isEdited, isAnswerReviewed } = draft;
  const picked = await askModal<Approval>({
    message: vscode.l10n.t('{0} wants to use a language model.', askerText(askerOf(server))),
    detail: [
      ...editedLines(isEdited),
      serverLine(server),
      vscode.l10n.t('Model: {0}', modelText(choice)),
      ...requestLines(request),
      '',
      isAnswerReviewed
        ? vscode.l10n.t('This goes to the model. You see the answer before the server gets it.')
        : vscode.l10n.t('This goes to the model. Its answer goes to the server without a review.'),
    ].join('\n'),
    first: { title: vscode.l10n.t('Review or Edit…'), answer: 'review' },
    others: [
      { title: vscode.l10n.t('Allow Once'), answer: 'once', commits: true },
      { title: vscode.l10n.t('Allow for This Session'), answer: 'session', commits: true },
      { title: vscode.l10n.t('Always for This Server'), answer: 'always', commits: true },
      { title: vscode.l10n.t('Change Model…'), answer: 'model' },
      { title: vscode.l10n.t('Later'), answer: 'later' },
      { title: vscode.l10n.t('Deny'), answer: 'deny', isCloseAffordance: true },
    ],
  });
  return picked ?? 'deny';
}

type Judgement = 'send' | 'review' | 'later' | 'discard';

async function askAnswer({ server, model, answer, isEdited }: AnswerDraft): Promise<Judgement> {
  const picked = await askModal<Judgement>({
    message: vscode.l10n.t('Send this answer to the MCP server "{0}"?', oneLine(server.name, 60)),
    detail: [
      ...editedLines(isEdited),
      serverLine(server),
      vscode.l10n.t('Model: {0}', nameOf(model)),
      ...answerLines(answer),
    ].join('\n'),
    first: { title: vscode.l10n.t('Review or Edit…'), answer: 'review' },
    others: [
      { title: vscode.l10n.t('Send'), answer: 'send', commits: true },
      { title: vscode.l10n.t('Later'), answer: 'later' },
      { title: vscode.l10n.t('Discard'), answer: 'discard', isCloseAffordance: true },
    ],
  });
  return picked ?? 'discard';
}

function serverLine({ name, scope }: ServerConfig): string {
  return vscode.l10n.t('Server: {0} ({1})', oneLine(name, 60), scopeText(scope));
}

function editedLines(isEdited: boolean): readonly string[] {
  return isEdited ? [`✎ ${vscode.l10n.t('Edited by you.')}`, ''] : [];
}

function changeModel(
  draft: RequestDraft,
  { signal, postponable }: Turn,
): Promise<'later' | undefined> {
  const { server, models, choice } = draft;
  return postponable(async (postponed) => {
    const picked = await withToken(AbortSignal.any([signal, postponed]), (token) =>
      vscode.window.showQuickPick(
        modelItems(models, choice.model.id),
        {
          title: vscode.l10n.t('Model for the MCP server "{0}"', oneLine(server.name, 60)),
          placeHolder: vscode.l10n.t(
            'If you allow more than this request, the server keeps this model',
          ),
          ignoreFocusOut: true,
          matchOnDescription: true,
        },
        token,
      ),
    );
    if (picked !== undefined) {
      draft.choice = { model: picked.model, because: { kind: 'user' } };
    }
    return postponed.aborted ? 'later' : undefined;
  });
}
