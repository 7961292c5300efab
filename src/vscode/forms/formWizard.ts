/** A form as a sequence of steps: one per field, then the review. The draft keeps the user's position. */
import type { Answer } from '../../host/elicitation/elicitationUi.ts';
import type { FormDraft, Review } from '../../host/forms/formDraft.ts';
import * as vscode from 'vscode';
import { askField } from './fieldStep.ts';
import { fieldLabel, answerText, problemText } from './fieldText.ts';
import { type Frame, type Place, type StepEnd, promptText, runStep } from './step.ts';
import { oneLine } from '../text/labelText.ts';

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
        ? await askReview(frame, place, draft)
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

type Choice =
  | { readonly kind: 'send' | 'decline' }
  | { readonly kind: 'change'; readonly index: number };

interface ReviewItem extends vscode.QuickPickItem {
  readonly choice?: Choice;
}

/** All answers, each of which can be changed, and the actions on them. */
async function askReview(
  frame: Frame,
  place: Place,
  draft: FormDraft,
): Promise<StepEnd | 'send' | 'stay'> {
  const review = await draft.review();
  const pick = vscode.window.createQuickPick<ReviewItem>();
  pick.items = itemsOf(frame, draft, review);
  pick.prompt = promptText(frame);
  pick.placeholder =
    draft.form.fields.length === 0
      ? vscode.l10n.t('The server only asks for your consent')
      : vscode.l10n.t('Check your answers: choose one to change it');
  pick.matchOnDescription = true;
  let chosen: Choice | undefined;
  const end = await runStep(pick, frame, place, (finish, store) => {
    store.add(
      pick.onDidAccept(() => {
        chosen = pick.selectedItems[0]?.choice;
        if (chosen !== undefined) {
          finish(chosen.kind === 'decline' ? 'decline' : 'next');
        }
      }),
    );
  });
  if (end !== 'next') {
    return end;
  }
  if (chosen?.kind !== 'change') {
    return 'send';
  }
  draft.position = chosen.index;
  draft.isChanging = true;
  return 'stay';
}

function itemsOf(frame: Frame, draft: FormDraft, review: Review): readonly ReviewItem[] {
  const { fields } = draft.form;
  const answers = fields.map((field, index): ReviewItem => {
    const problem = review.kind === 'incomplete' ? review.problems.get(field.key) : undefined;
    const text = answerText(field, draft.answerTo(field), draft.inputOf(field));
    return {
      label: `$(${problem === undefined ? 'edit' : 'error'}) ${fieldLabel(field)}`,
      description: text,
      ...(problem !== undefined && { detail: problemText(problem, 'answer') }),
      alwaysShow: true,
      choice: { kind: 'change', index },
    };
  });
  return [
    ...headOf(frame, review),
    ...(answers.length === 0
      ? []
      : [separator(vscode.l10n.t('answers that are sent')), ...answers]),
    separator(''),
    {
      label: `$(circle-slash) ${vscode.l10n.t('Decline')}`,
      description: vscode.l10n.t('send no answers, and tell the server no'),
      alwaysShow: true,
      choice: { kind: 'decline' },
    },
  ];
}

function headOf({ title }: Frame, review: Review): readonly ReviewItem[] {
  if (review.kind === 'complete') {
    return [
      {
        label: `$(check) ${vscode.l10n.t('Send')}`,
        description: vscode.l10n.t('to {0}', title),
        alwaysShow: true,
        choice: { kind: 'send' },
      },
    ];
  }
  const [first, ...rest] = review.problems.size > 0 ? [''] : review.sentences;
  return [first ?? '', ...rest].map((sentence) => ({
    label: `$(error) ${
      sentence === ''
        ? vscode.l10n.t('Some answers have to be changed before you can send them')
        : vscode.l10n.t('Not allowed: {0}', oneLine(sentence, 200))
    }`,
    alwaysShow: true,
  }));
}

function separator(label: string): ReviewItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
