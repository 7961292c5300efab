/** A form as a sequence of steps: one per field, then the review. The draft keeps the user's position. */
import type { Answer } from '../../host/elicitation/elicitationUi.ts';
import type { FormDraft } from '../../host/forms/formDraft.ts';
import * as vscode from 'vscode';
import { askField } from './fieldStep.ts';
import { fieldLabel } from './fieldText.ts';
import { askReview } from './reviewStep.ts';
import type { Frame, Place, StepEnd } from './step.ts';

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
        ? await review(frame, place, draft)
        : await askField(frame, place, draft, field);
    switch (end) {
      case 'decline':
      case 'later':
        return end;
      case 'closed':
        return 'cancel';
      case 'send':
        return 'accept';
      case 'next':
      case 'back':
        move(draft, end);
        break;
      case 'stay':
      case 'editor':
      case 'json':
      case 'review':
        break;
    }
  }
}

/** An answer that was opened from the review leads back to it, by Next and by Back. */
function move(draft: FormDraft, end: 'next' | 'back'): void {
  if (draft.isChanging) {
    draft.isChanging = false;
    draft.position = draft.form.fields.length;
  } else {
    draft.position += end === 'next' ? 1 : -1;
  }
}

async function review(
  frame: Frame,
  place: Place,
  draft: FormDraft,
): Promise<StepEnd | 'send' | 'stay'> {
  const end = await askReview(frame, place, draft);
  switch (end.kind) {
    case 'send':
      return 'send';
    case 'change':
      draft.position = end.index;
      draft.isChanging = true;
      return 'stay';
    case 'left':
      return end.end;
  }
}
