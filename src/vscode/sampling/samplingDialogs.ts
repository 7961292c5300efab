/**
 * The dialogs of sampling: the modal before the model gets the request, the modal before the server gets the answer,
 * the pick of another model. editorSamplingUi.ts handles the answers.
 */
import * as vscode from 'vscode';
import { askerOf } from '../../host/questions/asker.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import type { AnswerDraft, RequestDraft, SamplingScope } from '../../host/sampling/samplingUi.ts';
import type { Model } from '../../host/models/model.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import { withToken } from '../text/cancellation.ts';
import { askModal, askerText } from '../questions/modal.ts';
import { scopeText } from '../config/scopeText.ts';
import { oneLine } from '../text/labelText.ts';
import { answerLines, modelText, nameOf, requestLines } from './samplingText.ts';

type Approval = SamplingScope | 'review' | 'model' | 'later' | 'deny';

export async function askApproval(draft: RequestDraft): Promise<Approval> {
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

export async function askAnswer({
  server,
  model,
  answer,
  isEdited,
}: AnswerDraft): Promise<Judgement> {
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

export function changeModel(
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

export function modelItems(
  models: readonly Model[],
  selected: string | undefined,
): readonly (vscode.QuickPickItem & { readonly model: Model })[] {
  return models.map((model) => {
    const id = oneLine(`${model.vendor} · ${model.id}`, 80);
    return {
      label: oneLine(model.name, 80),
      description: model.id === selected ? vscode.l10n.t('{0} · selected', id) : id,
      model,
    };
  });
}
