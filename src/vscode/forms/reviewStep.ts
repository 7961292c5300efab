/** The last step of a form: all values, each of which can be changed, and what can be done with them. */
import * as vscode from 'vscode';
import type { AnyField } from '../../host/forms/form.ts';
import type { Draft, Review } from '../../host/forms/formDraft.ts';
import { oneLine } from '../text/labelText.ts';
import { answerText, problemText } from './fieldText.ts';
import {
  type Frame,
  pickStep,
  type Place,
  promptText,
  separator,
  type StepEnd,
  type StepItem,
} from './step.ts';

interface ReviewItem extends StepItem {
  /** The index of the value to change, or the end of the step. */
  readonly choice?: number | StepEnd | 'go';
}

/** What differs between a server's question and the input of a tool. */
export interface ReviewPage<F> {
  readonly placeholder: string;
  /** Sends the values, or runs with them. */
  readonly go: ReviewItem;
  /** The first line while they cannot be sent. */
  readonly refused: string;
  readonly heading: string;
  readonly labelOf: (field: F) => string;
  /** Below the values. */
  readonly other: ReviewItem;
}

/** `change`: the draft goes to the value that the user chose. */
export async function askReview<F extends AnyField, V>(
  frame: Frame,
  place: Place,
  draft: Draft<F, V>,
  page: ReviewPage<F>,
): Promise<StepEnd | 'go' | 'change'> {
  const review = await draft.review();
  const values = await Promise.all(
    draft.form.fields.map((field, index) => valueItem(frame, draft, page, field, index)),
  );
  const items = [
    ...headOf(review, page),
    ...(values.length === 0 ? [] : [separator(page.heading), ...values]),
    separator(''),
    { ...page.other, alwaysShow: true },
  ];
  const { placeholder } = page;
  const look = { items, prompt: promptText(frame), placeholder };
  const { end, item } = await pickStep<ReviewItem>(look, frame, place);
  const choice = item?.choice ?? end;
  if (typeof choice !== 'number') {
    return choice;
  }
  draft.goTo(choice);
  draft.isChanging = true;
  return 'change';
}

async function valueItem<F extends AnyField, V>(
  { wants }: Frame,
  draft: Draft<F, V>,
  { labelOf }: ReviewPage<F>,
  field: F,
  index: number,
): Promise<ReviewItem> {
  const answer = await draft.answerTo(field);
  const isWrong = answer.kind === 'problem';
  return {
    label: `$(${isWrong ? 'error' : 'edit'}) ${labelOf(field)}`,
    description: answerText(field, answer, draft.inputOf(field), wants),
    ...(isWrong && { detail: problemText(answer.problem, wants) }),
    alwaysShow: true,
    choice: index,
  };
}

function headOf<F>(review: Review<unknown>, { go, refused }: ReviewPage<F>): readonly ReviewItem[] {
  if (review.kind === 'complete') {
    return [{ ...go, alwaysShow: true }];
  }
  const lines =
    review.problems.size > 0
      ? [refused]
      : review.sentences.map((text) => vscode.l10n.t('Not allowed: {0}', oneLine(text, 200)));
  return lines.map((line) => ({ label: `$(error) ${line}`, alwaysShow: true, isInert: true }));
}
