/** A form as a sequence of steps: one per field, then the review of all values. The draft keeps the user's position. */
import * as vscode from 'vscode';
import type { Answer } from '../../host/elicitation/elicitationUi.ts';
import type { AnyField } from '../../host/forms/form.ts';
import type { Draft, FormDraft, Review } from '../../host/forms/formDraft.ts';
import { readingMs } from '../../host/questions/reading.ts';
import { oneLine } from '../text/labelText.ts';
import { askField } from './fieldStep.ts';
import { answerText, fieldLabel, problemText } from './fieldText.ts';
import {
  type Frame,
  pickStep,
  type Place,
  promptText,
  separator,
  type StepButton,
  stepButton,
  type StepEnd,
  type StepItem,
} from './step.ts';

interface ReviewItem extends StepItem {
  /** The index of the value to change, or the end of the step. */
  readonly choice?: number | StepEnd;
}

/** What differs between a server's question and the input of a tool. */
export interface FormLook<F extends AnyField> {
  readonly labelOf: (field: F) => string;
  /** Of the review, as are all below. */
  readonly placeholder: string;
  /** Sends the values, or runs with them. */
  readonly go: StepItem;
  /** The first line while they cannot be sent. */
  readonly refused: string;
  readonly heading: string;
  /** Below the values. */
  readonly other: StepItem & { readonly choice: StepEnd };
  /** Of the steps of fields. */
  readonly buttons: readonly StepButton[];
  /** Of fields for text, before those. */
  readonly textButtons?: readonly StepButton[];
  /** For their end `editor`. */
  readonly editValue?: (field: F) => Promise<void>;
  /** Values that need no change are not reviewed; `read`: unless they come faster than the question can be read. */
  readonly skipsReview: boolean | 'read';
}

/** Goes to the review. */
export function reviewButton(tooltip: string): StepButton {
  return stepButton('checklist', tooltip, 'review');
}

/** Returns how the user left the form. */
export async function askForm<F extends AnyField, V>(
  frame: Frame,
  draft: Draft<F, V>,
  look: FormLook<F>,
): Promise<StepEnd> {
  const { skipsReview } = look;
  for (;;) {
    const shownAt = Date.now();
    const isLast = draft.position === draft.form.fields.length - 1 && !draft.isChanging;
    const end = await askStep(frame, draft, look);
    if (!goesOn(draft, end)) {
      return end;
    }
    const isDone = end === 'review' || (end === 'next' && isLast);
    const isHasty = skipsReview === 'read' && Date.now() - shownAt < readingMs;
    if (isDone && skipsReview !== false && !isHasty && (await draft.review()).kind === 'complete') {
      return 'go';
    }
  }
}

/** Moves the draft to where this end of a step leads. Returns false at an end of the form. */
function goesOn<F extends AnyField, V>(draft: Draft<F, V>, end: StepEnd): boolean {
  if (end === 'next' || end === 'back') {
    draft.move(end);
  } else if (end === 'review') {
    draft.goTo('review');
  } else {
    return end === 'editor' || end === 'change';
  }
  return true;
}

async function askStep<F extends AnyField, V>(
  frame: Frame,
  draft: Draft<F, V>,
  look: FormLook<F>,
): Promise<StepEnd> {
  const { fields } = draft.form;
  const { buttons, textButtons, editValue, skipsReview } = look;
  const field = fields[draft.position];
  const step = draft.position + 1;
  const place = {
    step,
    total: Math.max(step, skipsReview === false ? fields.length + 1 : fields.length),
    canGoBack: draft.position > 0 || draft.isChanging,
  };
  if (field === undefined) {
    return askReview(frame, { ...place, label: vscode.l10n.t('Review') }, draft, look);
  }
  const end = await askField(
    { ...frame, buttons: [...buttons, ...(frame.buttons ?? [])] },
    { ...place, label: look.labelOf(field) },
    draft,
    field,
    textButtons,
  );
  if (end === 'editor') {
    await editValue?.(field);
  }
  return end;
}

/** Asks for the answers to a server's question. */
export async function runForm(frame: Frame, draft: FormDraft): Promise<Answer> {
  const { fields } = draft.form;
  const [first] = fields;
  const isYesOrNo = fields.length === 1 && first?.kind === 'boolean';
  const review = vscode.l10n.t('Leave the others as they are, and review all answers');
  const end = await askForm(frame, draft, {
    labelOf: fieldLabel,
    placeholder:
      fields.length === 0
        ? vscode.l10n.t('The server only asks for your consent')
        : vscode.l10n.t('Check your answers: choose one to change it'),
    go: {
      label: `$(check) ${vscode.l10n.t('Send')}`,
      description: vscode.l10n.t('to {0}', frame.title),
    },
    refused: vscode.l10n.t('Some answers have to be changed before you can send them'),
    heading: vscode.l10n.t('answers that are sent'),
    other: {
      label: `$(circle-slash) ${vscode.l10n.t('Decline')}`,
      description: vscode.l10n.t('send no answers, and tell the server no'),
      choice: 'decline',
    },
    buttons: fields.length > 1 ? [reviewButton(review)] : [],
    skipsReview: isYesOrNo && 'read',
  });
  return end === 'go' ? 'accept' : end === 'decline' || end === 'later' ? end : 'cancel';
}

async function askReview<F extends AnyField, V>(
  frame: Frame,
  place: Place,
  draft: Draft<F, V>,
  look: FormLook<F>,
): Promise<StepEnd> {
  const review = await draft.review();
  const values = await Promise.all(
    draft.form.fields.map((field, index) => valueItem(frame, draft, look, field, index)),
  );
  const items: readonly ReviewItem[] = [
    ...headOf(review, look),
    ...(values.length === 0 ? [] : [separator(look.heading), ...values]),
    separator(''),
    look.other,
  ].map((item) => ({ ...item, alwaysShow: true }));
  const { placeholder } = look;
  const { end, item } = await pickStep(
    { items, prompt: promptText(frame), placeholder },
    frame,
    place,
  );
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
  { labelOf }: FormLook<F>,
  field: F,
  index: number,
): Promise<ReviewItem> {
  const answer = await draft.answerTo(field);
  const isWrong = answer.kind === 'problem';
  return {
    label: `$(${isWrong ? 'error' : 'edit'}) ${labelOf(field)}`,
    description: answerText(field, answer, draft.inputOf(field), wants),
    ...(isWrong && { detail: problemText(answer.problem, wants) }),
    choice: index,
  };
}

function headOf<F extends AnyField>(
  review: Review<unknown>,
  { go, refused }: FormLook<F>,
): readonly ReviewItem[] {
  if (review.kind === 'complete') {
    return [{ ...go, choice: 'go' }];
  }
  const lines =
    review.problems.size > 0
      ? [refused]
      : review.sentences.map((text) => vscode.l10n.t('Not allowed: {0}', oneLine(text, 200)));
  return lines.map((line) => ({ label: `$(error) ${line}`, isInert: true }));
}
