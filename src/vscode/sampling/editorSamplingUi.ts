/**
 * The sequence of sampling dialogs and messages, from the first question to the answer. The dialogs themselves are in
 * samplingDialogs.ts. Decides nothing.
 */
import * as vscode from 'vscode';
import { settlesWithin } from '../../base/async.ts';
import { askerOf } from '../../host/questions/asker.ts';
import {
  answerText,
  readAnswerText,
  readRequestText,
  requestText,
} from '../../host/sampling/requestText.ts';
import type {
  AnswerDecision,
  AnswerQuestion,
  SamplingDecision,
  SamplingNotice,
  SamplingQuestion,
  SamplingUi,
} from '../../host/sampling/samplingUi.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import type { ServerConfig, HostConfig } from '../../host/config/serverConfig.ts';
import type { Model } from '../../host/models/model.ts';
import { oneLine } from '../text/labelText.ts';
import { safeFileName, type ResultFile } from '../text/resultFiles.ts';
import { type KeepFile, readWhole } from '../text/wholeText.ts';
import { askerText } from '../questions/modal.ts';
import { askAnswer, askApproval, changeModel, ownChoice } from './samplingDialogs.ts';
import type { Edit, TextEditing } from '../text/textEditing.ts';
import { commandId } from '../ids.ts';
import { noticeText, modelText, numberText, requestMarkdown } from './samplingText.ts';
import { Sampling, type SamplingServices } from '../../host/sampling/sampling.ts';
import { SamplingBudget } from '../../host/sampling/samplingBudget.ts';
import { SamplingSettings } from '../../host/sampling/samplingSettings.ts';
import type { TrustedServers } from '../../host/toolApproval/trustedServers.ts';
import type { Memory } from '../../host/storage.ts';
import { systemClock } from '../../base/clock.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { manageSampling } from './samplingManage.ts';
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

  async approve(asked: SamplingQuestion, turn: Turn): Promise<SamplingDecision> {
    let question = asked;
    while (!turn.signal.aborted) {
      const { request, choice } = question;
      const answer = await askApproval(question);
      switch (answer) {
        case 'deny':
        case 'later':
          return { kind: answer, question };
        case 'review':
        case 'model': {
          const change =
            answer === 'review' ? this.#review(question, turn) : changeModel(question, turn);
          const changed = await change;
          if (changed === 'later') {
            return { kind: 'later', question };
          }
          question = { ...question, ...changed };
          break;
        }
        case 'once':
        case 'session':
        case 'always': {
          const isOwnModel = choice.because === ownChoice;
          return { kind: 'allow', scope: answer, request, model: choice.model, isOwnModel };
        }
      }
    }
    return { kind: 'deny' };
  }

  async #review(
    { server, revision, request, choice }: SamplingQuestion,
    turn: Turn,
  ): Promise<Partial<SamplingQuestion> | 'later' | undefined> {
    const name = `sampling-request-${safeFileName(server.name)}`;
    const whole = requestMarkdown(request, server.name, modelText(choice));
    const edited = await this.#edited(
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
    );
    return edited === 'later' ? edited : edited && { request: edited, isEdited: true };
  }

  async review(asked: AnswerQuestion, turn: Turn): Promise<AnswerDecision> {
    let question = asked;
    while (!turn.signal.aborted) {
      const choice = await askAnswer(question);
      if (choice !== 'review') {
        return { kind: choice, question, answer: question.answer };
      }
      const changed = await this.#reviewAnswer(question, turn);
      if (changed === 'later') {
        return { kind: 'later', question };
      }
      question = { ...question, ...changed };
    }
    return { kind: 'discard' };
  }

  async #reviewAnswer(
    { server, revision, answer }: AnswerQuestion,
    turn: Turn,
  ): Promise<Partial<AnswerQuestion> | 'later' | undefined> {
    const { content } = answer;
    const { language, text } = answerText(content);
    const name = `answer-for-${safeFileName(server.name)}`;
    const edited = await this.#edited(
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
    );
    return edited === 'later'
      ? edited
      : edited && { answer: { ...answer, content: edited }, isEdited: true };
  }

  /** Shows the whole text, and edits it if the user wants that; undefined for no change. */
  async #edited<T>(
    title: string,
    file: ResultFile,
    edit: Edit<T>,
    turn: Turn,
  ): Promise<T | 'later' | undefined> {
    const placeHolder = vscode.l10n.t('Nothing has been sent yet');
    const item = {
      label: `$(edit) ${vscode.l10n.t('Edit…')}`,
      description: vscode.l10n.t('change what is sent'),
      end: 'edit' as const,
    };
    const end = await readWhole({ title, placeHolder, file, more: [item] }, this.#keep, turn);
    switch (end) {
      case 'edit':
        return this.#editing.run(edit, turn.signal);
      case 'later':
        return end;
      case 'back':
        return undefined;
    }
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
      await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: vscode.l10n.t(
            '{0} answers the MCP server "{1}"…',
            oneLine(model.name, 60),
            oneLine(server.name, 60),
          ),
          cancellable: true,
        },
        async (_progress, token) => {
          token.onCancellationRequested(() => stop.abort());
          await running.catch(() => undefined); // the caller gets the error below
        },
      );
    }
    return running;
  }

  tell(server: ServerConfig, notice: SamplingNotice): void {
    void warn(
      noticeText(askerText(askerOf(server)), notice),
      vscode.l10n.t('Manage Sampling…'),
      () => vscode.commands.executeCommand(commandId('manageSampling')),
    );
  }

  tellSpent(server: ServerConfig, tokens: number, allowMore: () => void): void {
    const text = vscode.l10n.t(
      '{0} has used {1} tokens of your language models since this window opened. Its further requests are refused.',
      askerText(askerOf(server)),
      numberText(tokens),
    );
    void warn(text, vscode.l10n.t('Allow as Much Again'), allowMore);
  }
}

/** With a button, so that the editor shows all of the text. */
async function warn(text: string, button: string, act: () => unknown): Promise<void> {
  if ((await vscode.window.showWarningMessage(text, button)) === button) {
    await act();
  }
}
