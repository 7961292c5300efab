/** A form as a sequence of steps: one per field, then the review. The draft keeps the user's position. */
import type { Answer } from '../../host/elicitation/elicitationUi.ts';
import type { FormField } from '../../host/forms/form.ts';
import type { FormDraft } from '../../host/forms/formDraft.ts';
import * as vscode from 'vscode';
import { askField } from './fieldStep.ts';
import { fieldLabel } from './fieldText.ts';
import { askReview, type ReviewPage } from './reviewStep.ts';
import type { Frame, Place } from './step.ts';

export async function runForm(frame: Frame, draft: FormDraft): Promise<Answer> {
  const { fields } = draft.form;
  for (;;) {
    const field = fields[draft.position];
    const place: Place = {
      label: field === undefined ? vscode.l10n.t('Review') : fieldLabel(field),
      step: draft.position + 1,
      total: fields.length + 1,
      canGoBack: draft.position > 0 || draft.isChanging,
    };
    const end =
      field === undefined
        ? await askReview(frame, place, draft, pageOf(frame, fields.length))
        : await askField(frame, place, draft, field);
    switch (end) {
      case 'decline':
      case 'later':
        return end;
      case 'closed':
        return 'cancel';
      case 'go':
        return 'accept';
      case 'next':
      case 'back':
        draft.move(end);
        break;
      case 'change':
      case 'editor':
      case 'json':
      case 'review':
        break;
    }
  }
}

/** All answers, each of which can be changed, and the actions on them. */
function pageOf({ title }: Frame, count: number): ReviewPage<FormField> {
  return {
    placeholder:
      count === 0
        ? vscode.l10n.t('The server only asks for your consent')
        : vscode.l10n.t('Check your answers: choose one to change it'),
    go: {
      label: `$(check) ${vscode.l10n.t('Send')}`,
      description: vscode.l10n.t('to {0}', title),
      choice: 'go',
    },
    refused: vscode.l10n.t('Some answers have to be changed before you can send them'),
    heading: vscode.l10n.t('answers that are sent'),
    labelOf: fieldLabel,
    other: {
      label: `$(circle-slash) ${vscode.l10n.t('Decline')}`,
      description: vscode.l10n.t('send no answers, and tell the server no'),
      choice: 'decline',
    },
  };
}
