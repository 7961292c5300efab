/**
 * What the user is asked and told about sampling: the modal before the model, the modal before the
 * server gets the answer, the review and the editing of both. Decides nothing.
 */
import * as vscode from 'vscode';
import { settlesWithin } from '../../base/async.ts';
import { askerOf } from '../../host/asks/asker.ts';
import {
  answerText,
  readAnswerText,
  readRequestText,
  requestText,
} from '../../host/asks/sampling/requestText.ts';
import type {
  AnswerDecision,
  AnswerQuestion,
  SamplingDecision,
  SamplingNotice,
  SamplingQuestion,
  SamplingScope,
  SamplingUi,
} from '../../host/asks/sampling/samplingUi.ts';
import type { ModelChoice } from '../../host/asks/sampling/modelChoice.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { Model } from '../../host/models/model.ts';
import type { CreateMessageRequest } from '../../mcp/types/asks.ts';
import { toToken } from '../cancellation.ts';
import { scopeText } from '../scopeText.ts';
import { inert, oneLine } from '../text.ts';
import { safeFileName } from '../tools/resultFiles.ts';
import { askerText } from './askerText.ts';
import { type OpenDocument, reviewRequest } from './samplingReview.ts';
import type { TextEditing } from './textEditing.ts';
import { commandIds } from '../ids.ts';
import { noticeText } from './samplingNotice.ts';
import { answerLines, modelText, nameOf, numberText, requestLines } from './samplingText.ts';

/** What is on the screen: the request and the model as the user left them. */
interface Draft {
  readonly request: CreateMessageRequest;
  readonly choice: ModelChoice;
  readonly isEdited: boolean;
}

/** An answer that comes sooner shows no progress: the editor drops notifications that come too fast. */
const quickMs = 700;

const denied: SamplingDecision = { kind: 'deny' };

export class EditorSamplingUi implements SamplingUi {
  readonly #editing: TextEditing;
  readonly #open: OpenDocument;

  constructor(editing: TextEditing, open: OpenDocument) {
    this.#editing = editing;
    this.#open = open;
  }

  async approve(question: SamplingQuestion, signal: AbortSignal): Promise<SamplingDecision> {
    let draft: Draft = { request: question.request, choice: question.choice, isEdited: false };
    while (!signal.aborted) {
      const answer = await askApproval(question, draft);
      switch (answer) {
        case 'deny':
          return denied;
        case 'review':
          draft = (await this.#review(question, draft, signal)) ?? draft;
          break;
        case 'model':
          draft = await changeModel(question, draft, signal);
          break;
        case 'once':
        case 'session':
        case 'always':
          return {
            kind: 'allow',
            scope: answer,
            request: draft.request,
            model: draft.choice.model,
            isOwnModel: draft.choice !== question.choice,
          };
      }
    }
    return denied;
  }

  /** Undefined: as it was. */
  async #review(
    question: SamplingQuestion,
    draft: Draft,
    signal: AbortSignal,
  ): Promise<Draft | undefined> {
    const { server, revision } = question;
    const end = await reviewRequest(
      { server: server.name, model: modelText(draft.choice), request: draft.request },
      this.#open,
      signal,
    );
    if (end === 'back') {
      return undefined;
    }
    const { request } = draft;
    const edited = await this.#editing.run(
      {
        name: `sampling-request-${safeFileName(server.name)}`,
        ...requestText(request),
        hint: (use) =>
          vscode.l10n.t(
            'Change what the model gets of "{0}", then choose "{1}" above. Nothing is sent before you allow it.',
            inert(oneLine(server.name, 60)),
            use,
          ),
        read: (text) => readRequestText(text, request, revision),
      },
      signal,
    );
    return edited && { ...draft, request: edited, isEdited: true };
  }

  async review(question: AnswerQuestion, signal: AbortSignal): Promise<AnswerDecision> {
    const { server, revision } = question;
    let { answer } = question;
    let isEdited = false;
    while (!signal.aborted) {
      const choice = await askAnswer({ ...question, answer }, isEdited);
      if (choice !== 'edit') {
        return choice === 'send' ? { kind: 'send', answer } : { kind: 'discard' };
      }
      const { content } = answer;
      const edited = await this.#editing.run(
        {
          name: `answer-for-${safeFileName(server.name)}`,
          ...answerText(content),
          hint: (use) =>
            vscode.l10n.t(
              'Change what "{0}" gets as the answer, then choose "{1}" above. Nothing is sent before you choose Send.',
              inert(oneLine(server.name, 60)),
              use,
            ),
          read: (text) => readAnswerText(text, content, revision),
        },
        signal,
      );
      if (edited !== undefined) {
        answer = { ...answer, content: edited };
        isEdited = true;
      }
    }
    return { kind: 'discard' };
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
            inert(oneLine(model.name, 60)),
            inert(oneLine(server.name, 60)),
          ),
          cancellable: true,
        },
        async (_progress, token) => {
          token.onCancellationRequested(() => stop.abort());
          await running.catch(() => undefined); // whoever called hears of it below
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
    await vscode.commands.executeCommand(commandIds.manageSampling);
  }
}

async function askApproval(
  { server, isAnswerReviewed }: SamplingQuestion,
  draft: Draft,
): Promise<SamplingScope | 'review' | 'model' | 'deny'> {
  const items: readonly (vscode.MessageItem & {
    readonly choice: SamplingScope | 'review' | 'model' | 'deny';
  })[] = [
    { title: vscode.l10n.t('Allow Once'), choice: 'once' },
    { title: vscode.l10n.t('Allow for This Session'), choice: 'session' },
    { title: vscode.l10n.t('Always for This Server'), choice: 'always' },
    { title: vscode.l10n.t('Review or Edit…'), choice: 'review' },
    { title: vscode.l10n.t('Change Model…'), choice: 'model' },
    { title: vscode.l10n.t('Deny'), choice: 'deny', isCloseAffordance: true },
  ];
  const picked = await vscode.window.showInformationMessage(
    vscode.l10n.t('{0} wants to use a language model.', askerText(askerOf(server))),
    {
      modal: true,
      detail: [
        ...(draft.isEdited ? [`✎ ${vscode.l10n.t('Edited by you.')}`, ''] : []),
        vscode.l10n.t('Server: {0} ({1})', oneLine(server.name, 60), scopeText(server.scope)),
        vscode.l10n.t('Model: {0}', modelText(draft.choice)),
        ...requestLines(draft.request),
        '',
        isAnswerReviewed
          ? vscode.l10n.t('This goes to the model. You see the answer before the server gets it.')
          : vscode.l10n.t('This goes to the model, and its answer to the server without a review.'),
      ].join('\n'),
    },
    ...items,
  );
  return picked?.choice ?? 'deny';
}

async function askAnswer(
  { server, model, answer }: AnswerQuestion,
  isEdited: boolean,
): Promise<'send' | 'edit' | 'discard'> {
  const items: readonly (vscode.MessageItem & { readonly choice: 'send' | 'edit' | 'discard' })[] =
    [
      { title: vscode.l10n.t('Send'), choice: 'send' },
      { title: vscode.l10n.t('Edit…'), choice: 'edit' },
      { title: vscode.l10n.t('Discard'), choice: 'discard', isCloseAffordance: true },
    ];
  const picked = await vscode.window.showInformationMessage(
    vscode.l10n.t('Send this answer to the {0}?', askerText(askerOf(server))),
    {
      modal: true,
      detail: [
        ...(isEdited ? [`✎ ${vscode.l10n.t('Edited by you.')}`, ''] : []),
        vscode.l10n.t('Model: {0}', nameOf(model)),
        ...answerLines(answer),
      ].join('\n'),
    },
    ...items,
  );
  return picked?.choice ?? 'discard';
}

async function changeModel(
  question: SamplingQuestion,
  draft: Draft,
  signal: AbortSignal,
): Promise<Draft> {
  const { token, dispose } = toToken(signal);
  try {
    const picked = await vscode.window.showQuickPick(
      question.models.map((model) => ({
        label: inert(oneLine(model.name, 80)),
        description: inert(oneLine(`${model.vendor} · ${model.id}`, 80)),
        picked: model.id === draft.choice.model.id,
        model,
      })),
      {
        title: vscode.l10n.t(
          'Model for the MCP server "{0}"',
          inert(oneLine(question.server.name, 60)),
        ),
        placeHolder: vscode.l10n.t('It counts for as long as you allow the server after this'),
        ignoreFocusOut: true,
        matchOnDescription: true,
      },
      token,
    );
    return picked === undefined
      ? draft
      : { ...draft, choice: { model: picked.model, because: { kind: 'user' } } };
  } finally {
    dispose();
  }
}
