/** The first and the last step of a tool's input: how to begin, and all values, each of which can be changed. */
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import type { Argument, InputDraft, InputReview } from '../../host/tools/inputDraft.ts';
import type { JsonField, ToolField } from '../../host/tools/inputForm.ts';
import { answerText, problemText } from '../forms/fieldText.ts';
import { type Frame, type Place, runStep, type StepEnd } from '../forms/step.ts';
import { oneLine } from '../text/labelText.ts';

const maxLabel = 60;
const maxDescription = 300;
const maxValue = 200;

/** The name that is sent, and the title if it differs. */
export function argumentLabel({ key, label }: ToolField): string {
  return label === key
    ? oneLine(key, maxLabel)
    : `${oneLine(label, maxLabel)} (${oneLine(key, 40)})`;
}

export function jsonHint({ description = '', isRequired, type }: JsonField): string {
  const rules = [
    isRequired ? vscode.l10n.t('required') : vscode.l10n.t('optional'),
    type === undefined ? vscode.l10n.t('JSON') : vscode.l10n.t('JSON: {0}', typeText(type)),
  ];
  return [oneLine(description, maxDescription), `(${rules.join(', ')})`]
    .filter((part) => part !== '')
    .join(' ');
}

function typeText(type: string): string {
  switch (type) {
    case 'array':
      return vscode.l10n.t('a list');
    case 'object':
      return vscode.l10n.t('an object');
    default:
      return oneLine(type, 40);
  }
}

/** The value of a field; an invalid one is shown as typed. */
function argumentText(draft: InputDraft, field: ToolField): string {
  const answer: Argument = draft.answerTo(field);
  if (answer.kind === 'absent') {
    return vscode.l10n.t('(left out)');
  }
  const input = draft.inputOf(field);
  if (field.kind === 'json') {
    return oneLine(typeof input === 'string' ? input : '', maxValue);
  }
  return answerText(field, draft.answerTo(field), input);
}

type InputStart =
  | { readonly kind: 'fill' | 'json' | 'closed' }
  | { readonly kind: 'again'; readonly input: JsonObject };

interface StartItem extends vscode.QuickPickItem {
  readonly start?: InputStart | 'forget';
}

export async function pickStart(
  title: string,
  earlier: readonly JsonObject[],
  hasForm: boolean,
  forget: () => Promise<void>,
): Promise<InputStart> {
  const picked = await vscode.window.showQuickPick(items(earlier, hasForm), {
    title,
    placeHolder: vscode.l10n.t('Which input should the tool get?'),
    ignoreFocusOut: true,
  });
  if (picked?.start === 'forget') {
    await forget();
    return { kind: 'fill' };
  }
  return picked?.start ?? { kind: 'closed' };
}

function items(earlier: readonly JsonObject[], hasForm: boolean): readonly StartItem[] {
  return [
    {
      label: `$(list-ordered) ${hasForm ? vscode.l10n.t('Fill In') : vscode.l10n.t('Type JSON')}`,
      description: hasForm ? vscode.l10n.t('one step for each parameter') : '',
      start: { kind: 'fill' },
    },
    {
      label: `$(json) ${vscode.l10n.t('Edit as JSON…')}`,
      description: vscode.l10n.t('in an editor, with suggestions'),
      start: { kind: 'json' },
    },
    { label: vscode.l10n.t('last used'), kind: vscode.QuickPickItemKind.Separator },
    ...earlier.map((input) => ({
      label: `$(history) ${oneLine(JSON.stringify(input), 200)}`,
      start: { kind: 'again', input } as const,
    })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(trash) ${vscode.l10n.t('Forget These')}`,
      description: vscode.l10n.t('and start again'),
      start: 'forget',
    },
  ];
}

type Choice =
  | { readonly kind: 'go' | 'json' }
  | { readonly kind: 'change'; readonly index: number };

interface ReviewItem extends vscode.QuickPickItem {
  readonly choice?: Choice;
}

type InputReviewEnd = Choice | { readonly kind: 'left'; readonly end: StepEnd };

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
