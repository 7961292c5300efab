/** The last page of a tool's form: the whole input, each value of which can be changed, and the next actions. */
import * as vscode from 'vscode';
import type { InputDraft, InputReview } from '../../host/tools/inputDraft.ts';
import { problemText } from '../forms/fieldText.ts';
import { type Frame, type Place, runStep, type StepEnd } from '../forms/step.ts';
import { oneLine } from '../text/text.ts';
import { argumentLabel, argumentText } from './argumentText.ts';

type Choice =
  | { readonly kind: 'go' | 'json' }
  | { readonly kind: 'change'; readonly index: number };

interface ReviewItem extends vscode.QuickPickItem {
  readonly choice?: Choice;
}

export type InputReviewEnd = Choice | { readonly kind: 'left'; readonly end: StepEnd };

export async function askInputReview(
  frame: Frame,
  place: Place,
  draft: InputDraft,
): Promise<InputReviewEnd> {
  const pick = vscode.window.createQuickPick<ReviewItem>();
  pick.items = itemsOf(draft, draft.review());
  pick.placeholder = vscode.l10n.t('Check the input: choose a value to change it');
  pick.matchOnDescription = true;
  let chosen: Choice | undefined;
  const end = await runStep(pick, frame, place, (finish, store) => {
    store.add(
      pick.onDidAccept(() => {
        chosen = pick.selectedItems[0]?.choice;
        if (chosen !== undefined) {
          finish('next');
        }
      }),
    );
  });
  return chosen === undefined || end !== 'next' ? { kind: 'left', end } : chosen;
}

function itemsOf(draft: InputDraft, review: InputReview): readonly ReviewItem[] {
  return [
    ...headOf(review),
    { label: vscode.l10n.t('input'), kind: vscode.QuickPickItemKind.Separator },
    ...draft.form.fields.map((field, index): ReviewItem => {
      const problem = review.kind === 'incomplete' ? review.problems.get(field.key) : undefined;
      return {
        label: `$(${problem === undefined ? 'edit' : 'error'}) ${argumentLabel(field)}`,
        description: argumentText(draft, field),
        ...(problem !== undefined && { detail: problemText(problem, 'argument') }),
        alwaysShow: true,
        choice: { kind: 'change', index },
      };
    }),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(json) ${vscode.l10n.t('Edit as JSON…')}`,
      description: vscode.l10n.t('the whole input, in an editor'),
      alwaysShow: true,
      choice: { kind: 'json' },
    },
  ];
}

function headOf(review: InputReview): readonly ReviewItem[] {
  if (review.kind === 'complete') {
    return [
      {
        label: `$(play) ${vscode.l10n.t('Run…')}`,
        description: vscode.l10n.t('with this input; the question before the call shows all of it'),
        alwaysShow: true,
        choice: { kind: 'go' },
      },
    ];
  }
  const sentences =
    review.problems.size > 0
      ? [vscode.l10n.t('Something has to be changed before the tool can run')]
      : review.sentences.map((text) => vscode.l10n.t('Not allowed: {0}', oneLine(text, 200)));
  return sentences.map((label) => ({ label: `$(error) ${label}`, alwaysShow: true }));
}
