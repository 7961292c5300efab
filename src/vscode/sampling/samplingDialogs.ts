/** The dialogs of sampling: whether a request goes to a model, to which one, for how long, and whether its answer goes back. */
import * as vscode from 'vscode';
import { askerOf } from '../../host/questions/asker.ts';
import { hasAllowances } from '../../host/sampling/sampling.ts';
import type { AnswerDraft, RequestDraft, SamplingScope } from '../../host/sampling/samplingUi.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import { idWithVendor } from '../../host/models/model.ts';
import { withToken } from '../text/cancellation.ts';
import { scopeText } from '../config/scopeText.ts';
import { oneLine } from '../text/labelText.ts';
import { askModal, askerText, pickRemembered } from '../questions/modal.ts';
import { answerLines, modelText, nameOf, requestLines } from './samplingText.ts';
import { modelItems } from './samplingManage.ts';

type Approval = 'once' | 'remember' | 'review' | 'later' | 'deny';

export async function askApproval(draft: RequestDraft): Promise<Approval> {
  const { server, caller, choice, request, isEdited, isAnswerReviewed } = draft;
  const isApp = caller === 'app';
  const remember = {
    title: vscode.l10n.t('Allow and Remember…'),
    answer: 'remember',
    commits: true,
  } as const;
  const picked = await askModal<Approval>({
    message: vscode.l10n.t(
      '{0} wants to use a language model.',
      askerText({ ...askerOf(server), isApp }),
    ),
    detail: [
      ...editedLines(isEdited),
      serverLine(server),
      vscode.l10n.t('Model: {0}', modelText(choice)),
      ...requestLines(request),
      '',
      isAnswerReviewed
        ? vscode.l10n.t('This goes to the model. You see the answer before it is passed on.')
        : vscode.l10n.t('This goes to the model. Its answer goes to the server without a review.'),
    ].join('\n'),
    first: { title: vscode.l10n.t('Review or Edit…'), answer: 'review' },
    others: [
      { title: vscode.l10n.t('Allow Once'), answer: 'once', commits: true },
      ...(hasAllowances(caller) ? [remember] : []),
      { title: vscode.l10n.t('Later'), answer: 'later' },
      { title: vscode.l10n.t('Deny'), answer: 'deny', isCloseAffordance: true },
    ],
  });
  return picked ?? 'deny';
}

/** @returns undefined when the user closed the list */
export async function pickScope(
  { server }: RequestDraft,
  { signal }: Turn,
): Promise<SamplingScope | undefined> {
  const name = oneLine(server.name, 60);
  const scope = await pickRemembered(
    {
      scopes: ['session', 'workspace'],
      title: vscode.l10n.t(
        'For how long may "{0}" use a language model without this question?',
        name,
      ),
      placeHolder: vscode.l10n.t('“Manage Sampling…” takes it back'),
    },
    signal,
  );
  if (scope === undefined) {
    // What comes too late has no effect, and the user is told so.
    return signal.aborted ? 'session' : undefined;
  }
  return scope === 'workspace' ? 'always' : 'session';
}

type Judgement = 'send' | 'review' | 'later' | 'discard';

export async function askAnswer({
  server,
  caller,
  model,
  answer,
  isEdited,
}: AnswerDraft): Promise<Judgement> {
  const picked = await askModal<Judgement>({
    message:
      caller === 'app'
        ? vscode.l10n.t(
            'Send this answer to the app of MCP server "{0}"?',
            oneLine(server.name, 60),
          )
        : vscode.l10n.t('Send this answer to the MCP server "{0}"?', oneLine(server.name, 60)),
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
        modelItems(models, idWithVendor(choice.model)),
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
