/** The steps that ask for a field of a form: a pick or a text box. host/forms decides which values are valid. */
import type {
  FormField,
  BooleanField,
  ChoiceField,
  ChoicesField,
  FieldInput,
  NumberField,
  TextField,
} from '../../host/forms/form.ts';
import type { FieldInputs } from '../../host/forms/formDraft.ts';
import {
  type Frame,
  type Place,
  type StepButton,
  type StepEnd,
  promptText,
  runStep,
} from './step.ts';
import * as vscode from 'vscode';
import { oneLine } from '../text/labelText.ts';
import { fieldHint, problemText, yesNo } from './fieldText.ts';

/** @param textButtons additional buttons of a text field; a field for a secret has none of them */
export function askField(
  frame: Frame,
  place: Place,
  draft: FieldInputs,
  field: FormField,
  textButtons: readonly StepButton[] = [],
): Promise<StepEnd> {
  switch (field.kind) {
    case 'text':
      return askTyped(frame, place, draft, field, field.seemsSecret ? [] : textButtons);
    case 'number':
      return askTyped(frame, place, draft, field);
    case 'boolean':
    case 'choice':
      return askOne(frame, place, draft, field);
    case 'choices':
      return askSome(frame, place, draft, field);
  }
}

interface ValueItem extends vscode.QuickPickItem {
  readonly value: FieldInput;
}

async function askOne(
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

async function askSome(
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

async function askTyped(
  frame: Frame,
  place: Place,
  draft: FieldInputs,
  field: TextField | NumberField,
  extraButtons: readonly StepButton[] = [],
): Promise<StepEnd> {
  const box = vscode.window.createInputBox();
  const given = draft.inputOf(field);
  const before = typeof given === 'string' ? given : '';
  // A box of one line would remove the line ends of a default.
  const shown = before.replaceAll(/[\r\n]+/gu, ' ');
  const prompt = promptText(frame, fieldHint(field));
  box.value = shown;
  box.prompt = prompt;
  box.placeholder = placeholder(frame, field);
  box.password = field.seemsSecret;
  const draw = (isTold: boolean): void => {
    const parsed = draft.answerTo(field);
    const problem =
      parsed.kind === 'problem' && isTold
        ? problemText(parsed.problem, frame.wants)
        : secretText(frame, field);
    // The message replaces the prompt, so it must repeat the server's words.
    box.validationMessage =
      problem === undefined
        ? undefined
        : {
            message: `${problem} — ${prompt}`,
            severity:
              parsed.kind === 'problem' && isTold
                ? vscode.InputBoxValidationSeverity.Error
                : vscode.InputBoxValidationSeverity.Warning,
          };
  };
  draw(shown !== '');
  return runBox(
    box,
    frame,
    place,
    {
      onTyped: (value) => draft.set(field, value === shown ? before : value),
      isWrong: () => draft.answerTo(field).kind === 'problem',
      tell: () => draw(true),
    },
    [...showButton(box, field), ...extraButtons],
  );
}

/** The typed text, and its problem. */
interface Typing {
  readonly onTyped: (value: string) => void;
  readonly isWrong: () => boolean;
  readonly tell: () => void;
}

/** Shows the problem at each key; Enter goes on once there is none. */
export function runBox(
  box: vscode.InputBox,
  frame: Frame,
  place: Place,
  { onTyped, isWrong, tell }: Typing,
  buttons: readonly StepButton[],
): Promise<StepEnd> {
  return runStep(
    box,
    frame,
    place,
    (finish, store) => {
      store.add(
        box.onDidChangeValue((value) => {
          onTyped(value);
          tell();
        }),
      );
      store.add(
        box.onDidAccept(() => {
          if (isWrong()) {
            tell();
          } else {
            finish('next');
          }
        }),
      );
    },
    buttons,
  );
}

/** A warning for a form only: in a tool's input a secret is legitimate, since the user decides to give it. */
function secretText(
  { wants }: Frame,
  { seemsSecret }: TextField | NumberField,
): string | undefined {
  return seemsSecret && wants === 'answer'
    ? vscode.l10n.t(
        'This seems to ask for a secret. A server must not ask for secrets in a form. Leave it empty, or decline.',
      )
    : undefined;
}

function showButton(
  box: vscode.InputBox,
  { seemsSecret }: TextField | NumberField,
): readonly StepButton[] {
  const button = {
    iconPath: new vscode.ThemeIcon('eye'),
    tooltip: vscode.l10n.t('Show or hide what is typed'),
  };
  const press = (): void => {
    box.password = !box.password;
  };
  return seemsSecret ? [{ button, press }] : [];
}

function placeholder({ wants }: Frame, field: TextField | NumberField): string {
  const isAnswer = wants === 'answer';
  if (!field.isRequired) {
    return isAnswer
      ? vscode.l10n.t('Leave empty to give no answer')
      : vscode.l10n.t('Leave empty to leave it out');
  }
  if (field.kind === 'number') {
    return vscode.l10n.t('A number');
  }
  return isAnswer ? vscode.l10n.t('Your answer') : vscode.l10n.t('A text');
}
