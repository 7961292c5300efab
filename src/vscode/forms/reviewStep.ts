/** The last page of a form: all answers, each of which can be changed, and the actions on them. */
import * as vscode from 'vscode';
import type { FormDraft, Review } from '../../host/forms/formDraft.ts';
import { oneLine } from '../text/text.ts';
import { answerText, fieldLabel, problemText } from './fieldText.ts';
import { type Frame, type Place, type StepEnd, promptText, runStep } from './step.ts';

type Choice =
  | { readonly kind: 'send' | 'decline' }
  | { readonly kind: 'change'; readonly index: number };

interface ReviewItem extends vscode.QuickPickItem {
  readonly choice?: Choice;
}

export type ReviewEnd =
  | { readonly kind: 'send' }
  | { readonly kind: 'change'; readonly index: number }
  | { readonly kind: 'left'; readonly end: Exclude<StepEnd, 'next'> };

export async function askReview(frame: Frame, place: Place, draft: FormDraft): Promise<ReviewEnd> {
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
    return { kind: 'left', end };
  }
  return chosen?.kind === 'change' ? chosen : { kind: 'send' };
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
