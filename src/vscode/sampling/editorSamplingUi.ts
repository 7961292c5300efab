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
import type { TextEditing } from '../text/textEditing.ts';
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
    sampling: new Sampling({
      questions,
      log,
      audit,
      settings,
      budget,
      models,
      ui,
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

/** A faster answer shows no progress: the editor drops notifications that come too quickly. */
const quickMs = 700;

const denied: SamplingDecision = { kind: 'deny' };

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
      const answer = await askApproval(question);
      switch (answer) {
        case 'deny':
          return denied;
        case 'later':
          return { kind: 'later', question };
        case 'review':
        case 'model': {
          const change =
            answer === 'review' ? this.#review(question, turn) : changeModel(question, turn);
          const changed = await change;
          if (changed === 'later') {
            return { kind: 'later', question };
          }
          question = changed;
          break;
        }
        case 'once':
        case 'session':
        case 'always':
          return {
            kind: 'allow',
            scope: answer,
            request: question.request,
            model: question.choice.model,
            isOwnModel: question.choice.because === ownChoice,
          };
      }
    }
    return denied;
  }

  async #review(question: SamplingQuestion, turn: Turn): Promise<SamplingQuestion | 'later'> {
    const { server, revision, request, choice } = question;
    const end = await reviewSampling(
      vscode.l10n.t('Sampling request of the MCP server "{0}"', oneLine(server.name, 60)),
      {
        name: `sampling-request-${safeFileName(server.name)}.md`,
        bytes: Buffer.from(requestMarkdown(request, server.name, modelText(choice))),
      },
      this.#keep,
      turn,
    );
    if (end !== 'edit') {
      return end === 'back' ? question : end;
    }
    const edited = await this.#editing.run(
      {
        name: `sampling-request-${safeFileName(server.name)}`,
        ...requestText(request),
        hint: (use) =>
          vscode.l10n.t(
            'Change what the model gets from "{0}", then choose "{1}" above. Nothing is sent before you allow it.',
            oneLine(server.name, 60),
            use,
          ),
        read: (text) => readRequestText(text, request, revision),
      },
      turn.signal,
    );
    return edited === undefined ? question : { ...question, request: edited, isEdited: true };
  }

  async review(asked: AnswerQuestion, turn: Turn): Promise<AnswerDecision> {
    let question = asked;
    while (!turn.signal.aborted) {
      const choice = await askAnswer(question);
      switch (choice) {
        case 'send':
          return { kind: 'send', answer: question.answer };
        case 'discard':
          return { kind: 'discard' };
        case 'later':
          return { kind: 'later', question };
        case 'review': {
          const changed = await this.#reviewAnswer(question, turn);
          if (changed === 'later') {
            return { kind: 'later', question };
          }
          question = changed;
        }
      }
    }
    return { kind: 'discard' };
  }

  async #reviewAnswer(question: AnswerQuestion, turn: Turn): Promise<AnswerQuestion | 'later'> {
    const { server, revision, answer } = question;
    const { content } = answer;
    const { language, text } = answerText(content);
    const name = `answer-for-${safeFileName(server.name)}`;
    const end = await reviewSampling(
      vscode.l10n.t('Answer to the MCP server "{0}"', oneLine(server.name, 60)),
      { name: `${name}.${language === 'json' ? 'json' : 'txt'}`, bytes: Buffer.from(text) },
      this.#keep,
      turn,
    );
    if (end !== 'edit') {
      return end === 'back' ? question : end;
    }
    const edited = await this.#editing.run(
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
      turn.signal,
    );
    return edited === undefined
      ? question
      : { ...question, answer: { ...answer, content: edited }, isEdited: true };
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
    void tell(noticeText(askerText(askerOf(server)), notice));
  }

  tellSpent(server: ServerConfig, tokens: number, allowMore: () => void): void {
    void this.#offerMore(server, tokens, allowMore);
  }

  async #offerMore(server: ServerConfig, tokens: number, allowMore: () => void): Promise<void> {
    const more = vscode.l10n.t('Allow as Much Again');
    const answer = await vscode.window.showWarningMessage(
      vscode.l10n.t(
        '{0} has used {1} tokens of your language models since this window opened. Its further requests are refused.',
        askerText(askerOf(server)),
        numberText(tokens),
      ),
      more,
    );
    if (answer === more) {
      allowMore();
    }
  }
}

/** With a button, so that the editor shows all of the text. */
async function tell(text: string): Promise<void> {
  const manage = vscode.l10n.t('Manage Sampling…');
  const answer = await vscode.window.showWarningMessage(text, manage);
  if (answer === manage) {
    await vscode.commands.executeCommand(commandId('manageSampling'));
  }
}

/** Closes when the request is withdrawn. */
function reviewSampling(
  title: string,
  file: ResultFile,
  keep: KeepFile,
  turn: Turn,
): Promise<'edit' | 'back' | 'later'> {
  return readWhole(
    {
      title,
      placeHolder: vscode.l10n.t('Nothing has been sent yet'),
      file,
      more: [
        {
          label: `$(edit) ${vscode.l10n.t('Edit…')}`,
          description: vscode.l10n.t('change what is sent'),
          end: 'edit',
        },
      ],
    },
    keep,
    turn,
  );
}
