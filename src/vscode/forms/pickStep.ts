/** Steps for fields with a pick: yes or no, one of several, some of several. */
import * as vscode from 'vscode';
import type { BooleanField, ChoiceField, ChoicesField, FieldInput } from '../../host/forms/form.ts';
import type { FieldInputs } from '../../host/forms/formDraft.ts';
import { oneLine } from '../text/text.ts';
import { fieldHint, problemText, yesNo } from './fieldText.ts';
import { type Frame, type Place, type StepEnd, promptText, runStep } from './step.ts';

interface ValueItem extends vscode.QuickPickItem {
  readonly value: FieldInput;
}

export async function askOne(
  frame: Frame,
  place: Place,
  draft: FieldInputs,
  field: BooleanField | ChoiceField,
): Promise<StepEnd> {
  const pick = vscode.window.createQuickPick<ValueItem>();
  const given = draft.inputOf(field);
  // First, so that Enter alone gives no answer.
  const none: readonly ValueItem[] = field.isRequired
    ? []
    : [{ label: `$(dash) ${noneText(frame)}`, value: undefined, alwaysShow: true }];
  pick.items = [...none, ...valuesOf(field)];
  pick.activeItems = pick.items.filter(({ value }) => value === given).slice(0, 1);
  pick.prompt = promptOf(frame, field);
  pick.placeholder = vscode.l10n.t('Choose one');
  pick.matchOnDescription = true;
  return runStep(pick, frame, place, (finish, store) => {
    store.add(
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item !== undefined) {
          draft.set(field, item.value);
          finish('next');
        }
      }),
    );
  });
}

export async function askSome(
  frame: Frame,
  place: Place,
  draft: FieldInputs,
  field: ChoicesField,
): Promise<StepEnd> {
  const pick = vscode.window.createQuickPick<ValueItem & { readonly value: string }>();
  const given = draft.inputOf(field);
  const chosen: readonly unknown[] = typeof given === 'object' ? given : [];
  pick.canSelectMany = true;
  pick.items = field.options.map(({ value, label }) => optionItem(field, value, label));
  pick.selectedItems = pick.items.filter(({ value }) => chosen.includes(value));
  pick.placeholder = vscode.l10n.t('Check what applies, then OK');
  pick.matchOnDescription = true;
  const draw = (isTold: boolean): void => {
    const parsed = draft.answerTo(field);
    const problem =
      parsed.kind === 'problem' && isTold ? `⚠ ${problemText(parsed.problem, frame.wants)} — ` : '';
    pick.prompt = `${problem}${promptOf(frame, field)}`;
  };
  draw(chosen.length > 0);
  return runStep(pick, frame, place, (finish, store) => {
    store.add(
      pick.onDidChangeSelection((items) => {
        draft.set(
          field,
          items.map(({ value }) => value),
        );
        draw(true);
      }),
    );
    store.add(
      pick.onDidAccept(() => {
        if (draft.answerTo(field).kind === 'problem') {
          draw(true);
        } else {
          finish('next');
        }
      }),
    );
  });
}

function noneText({ wants }: Frame): string {
  return wants === 'answer' ? vscode.l10n.t('No answer') : vscode.l10n.t('Leave it out');
}

function promptOf(frame: Frame, field: BooleanField | ChoiceField | ChoicesField): string {
  return promptText(frame, fieldHint(field));
}

function valuesOf(field: BooleanField | ChoiceField): readonly ValueItem[] {
  return field.kind === 'boolean'
    ? [true, false].map((value) => ({ label: yesNo(value), value, ...byDefault(field, value) }))
    : field.options.map(({ value, label }) => optionItem(field, value, label));
}

function optionItem(
  field: ChoiceField | ChoicesField,
  value: string,
  label: string,
): ValueItem & { readonly value: string } {
  const shown = oneLine(label, 200);
  return {
    label: shown === '' ? vscode.l10n.t('(empty text)') : shown,
    value,
    ...(field.kind === 'choice' && byDefault(field, value)),
  };
}

function byDefault(
  field: BooleanField | ChoiceField,
  value: FieldInput,
): { readonly description?: string } {
  return field.default === value ? { description: vscode.l10n.t('default') } : {};
}
